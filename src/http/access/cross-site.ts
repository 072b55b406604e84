import { ServiceError } from '../../domain/errors.ts'

const readingMethods: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS'])

/**
 * Whether a browser sends this request, which may change something, on behalf of another site's page.
 * Browsers say so in `Sec-Fetch-Site`, or at least in `Origin`; what sends neither is no browser, and
 * nobody can make it send somebody else's cookie.
 */
export function isCrossSite(
  { method, url, headers }: Request,
  ownUrl: string | undefined,
): boolean {
  if (readingMethods.has(method)) return false
  const site = headers.get('sec-fetch-site')
  if (site !== null) return site !== 'same-origin' && site !== 'none'
  const origin = headers.get('origin')
  if (origin === null) return false
  const host = URL.parse(origin)?.host
  const own = [url, ...(ownUrl === undefined ? [] : [ownUrl])].map((text) => URL.parse(text)?.host)
  return host === undefined || !own.includes(host)
}

export function refuseCrossSite(request: Request, ownUrl: string | undefined): void {
  if (isCrossSite(request, ownUrl)) throw crossSite()
}

export const crossSite = () =>
  new ServiceError('Forbidden', "this is only possible from this service's own pages")
