import { preferredEncoding } from '../../http/request/accept.ts'
import { rememberRecent } from '../../lib/collections/lru-cache.ts'
import { isCompressible } from '../../lib/text/compressible-types.ts'

/** The coding of zstd with a dictionary that both sides have (RFC 9842 §5). */
export const deltaCoding = 'dcz'

/** Less is not worth its fields; more holds too much memory for too long. */
const minBytes = 1024
const maxBytes = 8 * 1024 * 1024
const maxRemembered = 256

interface Stored {
  readonly contentType: string
  readonly sizeBytes: number
}

/** Whether clients are told to keep the bytes as what later ones of the same URL may be told apart from. */
export const isDictionary = ({ contentType, sizeBytes }: Stored): boolean =>
  isCompressible(contentType) && sizeBytes >= minBytes && sizeBytes <= maxBytes

/** What a pattern of URLs may contain without meaning anything but itself (URL Pattern, RFC 9842 §2.1.1). */
const plainUrl = /^https?:\/\/[^/?#]+(\/[\w.\-/~%]*)$/u

/** The field that says of which URL (RFC 9842 §2.1); `undefined` where that cannot be said of it alone. */
export function useAsDictionary(url: string): string | undefined {
  const path = plainUrl.exec(url)?.[1]
  return path === undefined ? undefined : `match="${path}"`
}

/** RFC 9842 §2.2: a byte sequence (RFC 9651 §3.3.5), of a SHA-256. */
const available = /^:([A-Za-z0-9+/]{43}=):$/u

const takesDelta = rememberRecent<string | null, boolean>(
  (field) => preferredEncoding(field, [deltaCoding]) === deltaCoding,
  maxRemembered,
)

/**
 * The SHA-256, in hex, of what the client has for a dictionary; `undefined` where it has none, does not take the
 * coding, or is a page that must not learn anything of the bytes, for it is of another site and has not asked to
 * read them (RFC 9842 §9.3.3).
 */
export function dictionaryOf(headers: Headers): string | undefined {
  const field = headers.get('available-dictionary')
  if (field === null) return undefined
  const digest = available.exec(field.trim())?.[1]
  if (digest === undefined || isOpaque(headers) || !takesDelta(headers.get('accept-encoding')))
    return undefined
  return Buffer.from(digest, 'base64').toString('hex')
}

const isOpaque = (headers: Headers): boolean => {
  const site = headers.get('sec-fetch-site')
  return (
    headers.get('sec-fetch-mode') === 'no-cors' &&
    site !== null &&
    site !== 'same-origin' &&
    site !== 'none'
  )
}
