import { invalid } from '../../domain/errors.ts'

const hexSha256 = /^[0-9a-f]{64}$/u

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

/** A dictionary of byte sequences (RFC 8941 §3.2); other algorithms than sha-256 are passed over. */
function parseDigest(field: string): string | undefined {
  const member = field.split(',').find((part) => /^\s*sha-256\s*=/u.test(part))
  if (member === undefined) return undefined
  const base64 = /=\s*:([A-Za-z0-9+/]{43}=):\s*$/u.exec(member)?.[1]
  if (base64 === undefined)
    throw invalid('Content-Digest', 'must hold a SHA-256 as sha-256=:<base64>:')
  return Buffer.from(base64, 'base64').toString('hex')
}
