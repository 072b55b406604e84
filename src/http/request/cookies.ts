/** More cookies of one name than any browser has reason to send. */
const maxOfName = 20

/**
 * The cookies of that name, the most specific first (RFC 6265 §5.4). There may be several: a host name
 * beside ours can have a browser send one of its own for all below the name that both are below.
 * Hono's reader knows the first alone, which may be that one.
 */
export function readCookies(headers: Headers, name: string): readonly string[] {
  const values: string[] = []
  for (const pair of headers.get('cookie')?.split(';') ?? []) {
    const at = pair.indexOf('=')
    if (at !== -1 && pair.slice(0, at).trim() === name) values.push(pair.slice(at + 1).trim())
    if (values.length === maxOfName) break
  }
  return values
}

export interface CookieOptions {
  /** 0 makes the browser forget it. */
  readonly maxAgeSeconds: number
  /** Whether it may only travel encrypted. */
  readonly isSecure: boolean
}

/** `Set-Cookie` for a cookie that no script sees and no other site can make the browser send. */
export const strictCookie = (name: string, value: string, options: CookieOptions): string =>
  cookieField(name, value, { ...options, sameSite: 'Strict', path: '/' })

interface FieldOptions extends CookieOptions {
  readonly sameSite: 'Strict' | 'Lax'
  readonly path: string
}

/** The same of one that comes along where another site leads the browser here, below a path alone. */
export const laxCookie = (
  name: string,
  value: string,
  { path, ...options }: CookieOptions & { readonly path: string },
): string => cookieField(name, value, { ...options, sameSite: 'Lax', path })

const cookieField = (
  name: string,
  value: string,
  { maxAgeSeconds, isSecure, sameSite, path }: FieldOptions,
): string =>
  [
    `${name}=${value}`,
    'HttpOnly',
    ...(isSecure ? ['Secure'] : []),
    `SameSite=${sameSite}`,
    `Path=${path}`,
    `Max-Age=${maxAgeSeconds}`,
  ].join('; ')
