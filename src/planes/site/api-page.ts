import { staticResponse } from '../../http/response/static-file.ts'
import { fillTemplate, pageHeaders, type SiteDependencies, type SitePage } from './site-page.ts'

const partByPath: Readonly<Record<string, string>> = {
  '/api/docs/scalar.js': 'scalar.js',
  '/api/docs/api.css': 'api.css',
  '/api/docs/nonce.js': 'nonce.js',
  '/api/docs/reference.js': 'reference.js',
}

/** `GET /api/docs`: the interface to read and to try, by Scalar from here and from nowhere else. */
export const createApiPage =
  ({ file, newId }: Pick<SiteDependencies, 'file' | 'newId'>): SitePage =>
  async (request, path) => {
    if (path === '/api/docs/') return redirect('/api/docs')
    if (path === '/api/docs') {
      const { bytes, contentType } = await file('api.html')
      const nonce = newId()
      const html = fillTemplate(new TextDecoder().decode(bytes), { nonce })
      const headers = {
        ...pageHeaders,
        'Content-Length': String(Buffer.byteLength(html)),
        'Content-Type': contentType,
        'Content-Security-Policy': policy(nonce),
        'Cache-Control': 'no-store',
      }
      return new Response(request.method === 'HEAD' ? null : html, { headers })
    }
    const part = Object.hasOwn(partByPath, path) ? partByPath[path] : undefined
    return part === undefined ? undefined : staticResponse(request, await file(part), pageHeaders)
  }

/**
 * Scalar makes its style sheets in its script, which the nonce lets in, and draws with `style` attributes.
 * Pictures and films that an endpoint answers with are shown from memory.
 */
const policy = (nonce: string): string =>
  [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "style-src-attr 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "media-src 'self' blob:",
    "font-src 'self' data:",
    "connect-src 'self'",
    "base-uri 'none'",
    "form-action 'none'",
    "frame-ancestors 'none'",
  ].join('; ')

const redirect = (location: string): Response =>
  new Response(null, { status: 308, headers: { Location: location } })
