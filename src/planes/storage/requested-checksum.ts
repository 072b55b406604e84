import { invalid } from '../../domain/errors.ts'
import { readDictionary } from '../../lib/text/structured-fields.ts'

const hexSha256 = /^[0-9a-f]{64}$/u

/** More than the digests of all registered algorithms come to. */
const maxDigestLength = 1_024

/**
 * The SHA-256 a request says its body has, in lower-case hex: from `Checksum` (hex, any case) or from
 * `Content-Digest` (RFC 9530 §2; only `sha-256` is asked for). `undefined` where it says none.
 */
export function requestedChecksum(headers: Headers): string | undefined {
  const checksum = headers.get('checksum')
  const digest = headers.get('content-digest')
  const fromChecksum = checksum === null ? undefined : parseHex(checksum)
  const fromDigest = digest === null ? undefined : parseDigest(digest)
  if (fromChecksum !== undefined && fromDigest !== undefined && fromChecksum !== fromDigest)
    throw invalid('Checksum', 'must be the same SHA-256 as Content-Digest where both are sent')
  return fromChecksum ?? fromDigest
}

function parseHex(text: string): string {
  const hex = text.trim().toLowerCase()
  if (!hexSha256.test(hex)) throw invalid('Checksum', 'must be a SHA-256 as 64 hexadecimal digits')
  return hex
}

/**
 * The digest of sha-256; other algorithms are passed over. A field that does not parse would have to be
 * ignored whole (RFC 9651 §4.2), but where it names sha-256 its sender counts on a check, and is told.
 */
function parseDigest(field: string): string | undefined {
  const members = field.length > maxDigestLength ? undefined : readDictionary(field)
  if (members?.has('sha-256') !== true && (members !== undefined || !field.includes('sha-256')))
    return undefined
  const digest = members?.get('sha-256')
  if (!(digest instanceof Uint8Array) || digest.length !== 32)
    throw invalid('Content-Digest', 'must hold a SHA-256 as sha-256=:<base64>:')
  return digest.toHex()
}
