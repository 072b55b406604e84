import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'

/**
 * Scripts, styles and pictures come from this service alone and pages are never shown in a frame. The browser
 * must go on naming the origin of what it sends: cross-site requests are told by it.
 */
export const pageHeaders = {
  'Content-Security-Policy': [
    "default-src 'none'",
    "script-src 'self'",
    "style-src 'self'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; '),
  'Cache-Control': cacheLifetimes.comparedEachTime,
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Permissions-Policy': 'publickey-credentials-get=(self), publickey-credentials-create=(self)',
  'Referrer-Policy': 'same-origin',
}
