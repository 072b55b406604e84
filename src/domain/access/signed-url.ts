import { createHmac, timingSafeEqual } from 'node:crypto'

/** What a signed URL says, as it was sent. */
export interface SignedParameters {
  readonly path: string | undefined
  /** Unix seconds. */
  readonly expires: string | undefined
  /** Lower-case hex HMAC-SHA256. */
  readonly signature: string | undefined
  /** Parameters that are signed as well, e.g. `t.w`; their order does not matter. */
  readonly extras: readonly (readonly [name: string, value: string])[]
}

interface Terms {
  readonly secret: string
  /** The one before, while URLs that it signed are still good. */
  readonly previousSecret?: string | undefined
  readonly now: Date
  /** How far ahead a URL may expire. */
  readonly maxAgeSeconds: number
}

/**
 * Whether the URL was signed by a holder of the secret and is still good. Either form of the signed
 * text is accepted; whatever is wrong, finding it out takes the same steps.
 */
export function isSignatureValid(parameters: SignedParameters, terms: Terms): boolean {
  const { path = '', expires = '', signature = '', extras } = parameters
  const suffix = signedExtras(extras)
  const secrets = [terms.secret, terms.previousSecret ?? terms.secret]
  const matches = [plainText(path, expires), countedText(path, expires)].flatMap((text) =>
    secrets.map((secret) => equal(sign(text + suffix, secret), signature)),
  )
  return isTimely(expires, terms) && matches.includes(true)
}

/** `<path>:<expires>`: short, and what most clients send. */
export const plainText = (path: string, expires: string): string => `${path}:${expires}`

/** The same with lengths in UTF-16 units, so that no two pairs make one text. */
export const countedText = (path: string, expires: string): string =>
  `${path.length}:${path}|${expires.length}:${expires}`

/** Lower-case hex. */
export const sign = (text: string, secret: string): string =>
  createHmac('sha256', secret).update(text).digest('hex')

/** Nothing without extras; else `|` and the sorted, percent-encoded pairs. */
export function signedExtras(extras: SignedParameters['extras']): string {
  if (extras.length === 0) return ''
  const pairs = extras.map(
    ([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value)}`,
  )
  return `|${pairs.toSorted().join('&')}`
}

function isTimely(expires: string, { now, maxAgeSeconds }: Terms): boolean {
  const seconds = /^\d{1,15}$/u.test(expires) ? Number(expires) : Number.NaN
  const ahead = seconds - now.getTime() / 1000
  return ahead > 0 && ahead <= maxAgeSeconds
}

function equal(expected: string, given: string): boolean {
  const [a, b] = [expected, given].map((text) =>
    createHmac('sha256', 'equal').update(text).digest(),
  )
  return a !== undefined && b !== undefined && timingSafeEqual(a, b)
}
