/** What the name of a host may be: a name, an IPv4 address, or an IPv6 address in brackets. */
const hostName = /^(?:[a-z0-9_-][a-z0-9._-]*|\[[0-9a-f:.]+\])$/iu
const port = /^\d{1,5}$/u
const maxPort = 65_535

/**
 * The host name of a Host value (RFC 9110 §7.2), without its port and without the dot at the end that
 * means the same name; `undefined` where the value is none.
 */
export function hostnameIn(host: string): string | undefined {
  const colon = host.endsWith(']') ? -1 : host.lastIndexOf(':')
  const name = colon < 0 ? host : host.slice(0, colon)
  const isValid = hostName.test(name) && (colon < 0 || isPort(host.slice(colon + 1)))
  if (!isValid) return undefined
  return name.endsWith('.') ? name.slice(0, -1) : name
}

/** An empty port stands for the scheme's own (RFC 3986 §3.2.3). */
const isPort = (text: string): boolean =>
  text === '' || (port.test(text) && Number(text) <= maxPort)

/**
 * Whether the address of a request can be taken apart. Bun builds it from Host, and leaves the host out
 * where Host is nothing like one.
 */
export function hasValidHost({ url }: Pick<Request, 'url'>): boolean {
  const start = url.indexOf('://') + 3
  const end = url.indexOf('/', start)
  return start >= 3 && end > start && hostnameIn(url.slice(start, end)) !== undefined
}

/** Bun joins repeated fields, and no host name holds a comma (RFC 9112 §3.2). */
export const namesTwoHosts = (request: Pick<Request, 'headers'>): boolean =>
  request.headers.get('host')?.includes(',') === true
