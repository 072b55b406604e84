/** Fields that concern one connection (RFC 9110 §7.6.1) or one proxy, never what lies behind it. */
const hopByHop: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'proxy-authenticate',
  'proxy-authentication-info',
  'proxy-authorization',
])

/** A 304 must not change these: they describe the stored bytes (RFC 9111 §3.2). */
const boundToBody: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'content-md5',
  'content-range',
  'etag',
])

/** A copy without hop-by-hop fields, those that Connection names among them. */
export function withoutHopByHop(headers: Headers): Headers {
  const kept = new Headers(headers)
  for (const name of connectionOptions(headers)) kept.delete(name)
  for (const name of hopByHop) kept.delete(name)
  return kept
}

/** Appends a member to a field that is a list. */
export function appendMember(headers: Headers, name: string, member: string): void {
  const before = headers.get(name)
  headers.set(name, before === null || before === '' ? member : `${before}, ${member}`)
}

/** The stored fields brought up to date with those of a 304 or of an answer to HEAD. */
export function updatedHeaders(stored: Headers, news: Headers): Headers {
  const updated = new Headers(stored)
  const incoming = withoutHopByHop(news)
  // Both tell of the message they came with, not of the representation.
  updated.delete('age')
  updated.delete('date')
  for (const name of new Set(incoming.keys())) {
    if (boundToBody.has(name)) continue
    if (name === 'set-cookie') replaceCookies(updated, incoming)
    else updated.set(name, incoming.get(name) ?? '')
  }
  return updated
}

/** Set-Cookie is the one field whose values must not be joined. */
function replaceCookies(headers: Headers, incoming: Headers): void {
  headers.delete('set-cookie')
  for (const cookie of incoming.getSetCookie()) headers.append('set-cookie', cookie)
}

function connectionOptions(headers: Headers): readonly string[] {
  const options = (headers.get('connection') ?? '').toLowerCase().split(',')
  return options.map((option) => option.trim()).filter((option) => isToken(option))
}

const isToken = (text: string): boolean => /^[!#$%&'*+\-.^_`|~0-9a-z]+$/u.test(text)

/** Fields that ask for less than the whole current representation. */
export const conditionFields = [
  'if-match',
  'if-none-match',
  'if-modified-since',
  'if-unmodified-since',
  'if-range',
  'range',
] as const

export const isConditional = (headers: Headers): boolean =>
  conditionFields.some((name) => headers.has(name))
