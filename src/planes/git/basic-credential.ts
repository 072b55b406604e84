/**
 * The request with what git sends as a password (or as a user name without one) in the places where
 * keys and tokens are looked for. Only what serves git may do this: browsers send such credentials to
 * wherever another site's page leads them.
 */
export function withBasicCredential(request: Request): Request {
  const encoded = /^basic +([\w+/=-]+) *$/iu.exec(request.headers.get('authorization') ?? '')?.[1]
  if (encoded === undefined) return request
  const secret = secretOf(Buffer.from(encoded, 'base64').toString('latin1'))
  const headers: Record<string, string> = isHeaderValue(secret)
    ? { AccessKey: secret, AccountKey: secret, Authorization: `Bearer ${secret}` }
    : {}
  return new Request(request.url, { headers })
}

/** RFC 7617 §2: the user name ends at the first colon. */
function secretOf(pair: string): string {
  const colon = pair.indexOf(':')
  const password = colon === -1 ? '' : pair.slice(colon + 1)
  return password === '' ? pair.slice(0, colon === -1 ? undefined : colon) : password
}

const isHeaderValue = (text: string): boolean => /^[\u0021-\u007e]+$/u.test(text)
