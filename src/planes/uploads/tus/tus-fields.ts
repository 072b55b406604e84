import { invalid } from '../../../domain/errors.ts'
import { type PieceChecksum, pieceChecksums } from '../../../domain/uploads/uploads.ts'

const maxMetadataLength = 8192
const maxChecksumLength = 256

/** A whole number of bytes; `undefined` where the field is not there. */
export function readBytes(headers: Headers, name: string): number | undefined {
  const field = headers.get(name)
  if (field === null) return undefined
  const bytes = /^\d{1,16}$/u.test(field) ? Number(field) : Number.NaN
  if (!Number.isSafeInteger(bytes)) throw invalid(name, 'must be a whole number of bytes')
  return bytes
}

/** The size that the client says, or that it says it will say it later. */
export function readLength(headers: Headers): number | undefined {
  const length = readBytes(headers, 'Upload-Length')
  const deferred = headers.get('upload-defer-length')
  if (deferred !== null && deferred !== '1') throw invalid('Upload-Defer-Length', 'must be 1')
  if (length === undefined && deferred === null)
    throw invalid('Upload-Length', 'must be there, or Upload-Defer-Length: 1')
  if (length !== undefined && deferred !== null)
    throw invalid('Upload-Defer-Length', 'must not be there beside Upload-Length')
  return length
}

/** `Upload-Metadata`: keys and their values in Base64. */
export function readMetadata(field: string | null): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  if (field === null || field.trim() === '') return values
  if (field.length > maxMetadataLength)
    throw invalid('Upload-Metadata', `must have at most ${maxMetadataLength} characters`)
  for (const pair of field.split(',')) {
    const [key = '', value = '', ...more] = pair.trim().split(' ')
    if (key === '' || more.length > 0)
      throw invalid('Upload-Metadata', 'must be keys and values in Base64, as "key dmFsdWU="')
    if (values.has(key)) throw invalid('Upload-Metadata', `must name "${key}" once`)
    values.set(key, decode(value, key))
  }
  return values
}

function decode(value: string, key: string): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.fromBase64(value))
  } catch (cause) {
    throw invalid('Upload-Metadata', `must have the value of "${key}" as UTF-8 in Base64`, cause)
  }
}

/** `Upload-Checksum`: an algorithm and the checksum in Base64, of the body alone. */
export function readChecksum(field: string | null): PieceChecksum | undefined {
  if (field === null) return undefined
  const [name, value, ...more] = field.slice(0, maxChecksumLength).trim().split(' ')
  const algorithm = pieceChecksums.find((each) => each === name)
  if (algorithm === undefined)
    throw invalid('Upload-Checksum', `must be of ${pieceChecksums.join(', ')}`)
  try {
    if (more.length > 0) throw new Error('more than two words')
    return { algorithm, digest: Uint8Array.fromBase64(value ?? '') }
  } catch (cause) {
    throw invalid('Upload-Checksum', 'must be an algorithm and a checksum in Base64', cause)
  }
}
