/** The first cookie of that name (RFC 6265 §5.4: the most specific comes first). */
export function readCookie(headers: Headers, name: string): string | undefined {
  for (const pair of headers.get('cookie')?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) return pair.slice(at + 1).trim()
  }
  return undefined
}

export interface CookieOptions {
  /** 0 makes the browser forget it. */
  readonly maxAgeSeconds: number
  /** Whether it may only travel encrypted. */
  readonly isSecure: boolean
}

/** `Set-Cookie` for a cookie that no script sees and no other site can make the browser send. */
export const strictCookie = (
  name: string,
  value: string,
  { maxAgeSeconds, isSecure }: CookieOptions,
): string =>
  [
    `${name}=${value}`,
    'HttpOnly',
    ...(isSecure ? ['Secure'] : []),
    'SameSite=Strict',
    'Path=/',
    `Max-Age=${maxAgeSeconds}`,
  ].join('; ')
