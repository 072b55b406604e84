/** Field names are lower case from here on. */
const token = /^[!#$%&'*+.^_`|~0-9a-z-]+$/u
/** What a field value may hold (RFC 9110 §5.5), as one byte a character. */
const value = /^[\t\u0020-\u007e\u0080-\u00ff]*$/u

/** Fields that say how the message is framed or which part of the body it holds: never a rule's to set. */
const reservedFields: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'content-range',
  'date',
  'keep-alive',
  'proxy-authenticate',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
])

/** Why a field cannot be named so, or `undefined` where it can. */
export function faultOfName(name: string): string | undefined {
  if (name === '') return 'has no header name before the colon'
  if (name.includes(' ')) return 'has a blank in the header name'
  if (!token.test(name)) return 'has a character in the header name that no header name may have'
  if (reservedFields.has(name)) return `sets ${name}, which the server alone can know`
  return undefined
}

/** Fields by which proxies in front of the service are told what to do with a response, or what to send in its place. */
const proxyField = /^(?:x-accel-|x-sendfile|x-lighttpd-|x-litespeed-|x-reproxy-|x-varnish|fastly-)/u

/** Why a zone cannot name a field so in rules of its own: it may speak to clients alone. */
export const faultOfZoneName = (name: string): string | undefined =>
  faultOfName(name) ??
  (proxyField.test(name)
    ? `sets ${name}, which tells proxies what to do: rules of all zones alone may`
    : undefined)

export function faultOfValue(text: string): string | undefined {
  if (text === '') return 'has no header value after the colon'
  return value.test(text) ? undefined : 'has a character in the value that must be percent-encoded'
}
