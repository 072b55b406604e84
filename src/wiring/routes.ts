/** Whether the address is below `path`, without parsing it: every delivered asset passes here. */
export function isBelow(url: string, path: string): boolean {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (!url.startsWith(path, start)) return false
  const next = url[start + path.length]
  return next === undefined || next === '/' || next === '?'
}

/** Whether the address is that of the home page. */
export function isHome(url: string): boolean {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  const next = url[start + 1]
  return next === undefined || next === '?'
}

/** Answers to the challenges of an ACME server, which neither rules nor keys nor redirects may touch. */
export const isChallenge = (url: string): boolean => isBelow(url, '/.well-known/acme-challenge')

/** Whether nothing but the edge can have anything to do with the address. */
export const isDelivered = (url: string): boolean =>
  !isBelow(url, '/api') &&
  !isBelow(url, '/watch') &&
  !isBelow(url, '/dashboard') &&
  !isBelow(url, '/docs') &&
  !isHome(url) &&
  !isChallenge(url)
