import { invalid, ServiceError } from '../../../domain/errors.ts'
import type { PieceChecksum, Upload } from '../../../domain/uploads/uploads.ts'
import { readDictionary, readItem } from '../../../lib/text/structured-fields.ts'
import { interopVersions, versionField } from './draft-protocol.ts'

/** What a request says of the upload. Fields with other values than they may have are as if not there. */
export interface UploadFields {
  readonly offset: number | undefined
  readonly isComplete: boolean | undefined
  /** What the request makes the size of the file, by its `Upload-Length` or by what completes it. */
  readonly sizeBytes: number | undefined
  readonly checksum: PieceChecksum | undefined
}

/** `offset` is where the content of the request begins. Throws where it gives the file two sizes. */
export function readUploadFields(headers: Headers, beginsAt?: number): UploadFields {
  requireVersion(headers)
  const offset = beginsAt ?? readCount(headers, 'upload-offset')
  const complete = readItem(headers.get('upload-complete') ?? '')
  const isComplete = typeof complete === 'boolean' ? complete : undefined
  const contentBytes = announcedBytes(headers)
  const isKnown = isComplete === true && offset !== undefined && contentBytes !== undefined
  const sizes = new Set([
    ...present(readCount(headers, 'upload-length')),
    ...present(isKnown ? offset + contentBytes : undefined),
  ])
  if (sizes.size > 1)
    throw new ServiceError(
      'UploadLengthMismatch',
      'Upload-Length must be the number of bytes that complete the upload',
      { target: 'Upload-Length' },
    )
  const [sizeBytes] = sizes
  return { offset, isComplete, sizeBytes, checksum: readContentDigest(headers) }
}

const present = (value: number | undefined) => (value === undefined ? [] : [value])

/** Implementations of the RFC to come send none. */
function requireVersion(headers: Headers): void {
  const field = headers.get(versionField)
  if (field === null) return
  const { oldest, newest } = interopVersions
  const version = readItem(field)
  if (typeof version !== 'number' || version < oldest || version > newest)
    throw invalid(versionField, `must be from ${oldest} to ${newest}, where it is there`)
}

function readCount(headers: Headers, name: string): number | undefined {
  const value = readItem(headers.get(name) ?? '')
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

function announcedBytes(headers: Headers): number | undefined {
  const length = headers.get('content-length')
  const isSaid = length !== null && !headers.has('transfer-encoding') && /^\d{1,16}$/u.test(length)
  return isSaid ? Number(length) : undefined
}

const algorithms = { 'sha-256': 'sha256', 'sha-512': 'sha512' } as const
const maxDigestLength = 1024

/** Of the content of this one request (RFC 9530 §2). */
function readContentDigest(headers: Headers): PieceChecksum | undefined {
  const members = readDictionary(headers.get('content-digest')?.slice(0, maxDigestLength) ?? '')
  for (const name of ['sha-256', 'sha-512'] as const) {
    const digest = members?.get(name)
    if (digest instanceof Uint8Array) return { algorithm: algorithms[name], digest }
  }
  return undefined
}

const maxDispositionLength = 2048

/** The name that `Content-Disposition` gives the file (RFC 6266 §4.3). */
export function readFilename(headers: Headers): string | undefined {
  const field = headers.get('content-disposition')?.slice(0, maxDispositionLength) ?? ''
  const [, encoded] = /;\s*filename\*=UTF-8'[^']*'([^;\s]+)/iu.exec(field) ?? []
  if (encoded !== undefined) return decoded(encoded)
  const [, quoted, token] = /;\s*filename=(?:"([^"]*)"|([^;\s]+))/iu.exec(field) ?? []
  return quoted ?? token
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw invalid('Content-Disposition', 'must have its filename* in percent-encoded UTF-8', cause)
  }
}

interface Limits {
  readonly maxFileBytes: number
  readonly ttlSeconds: number
}

/** Of uploads that are not begun yet. */
export const uploadLimit = ({ maxFileBytes, ttlSeconds }: Limits): string =>
  `max-size=${maxFileBytes}, max-age=${ttlSeconds}`

interface Stated {
  readonly maxFileBytes: number
  readonly now: () => Date
}

/** Where an upload stands, for every response about it. */
export function stateFields(
  { offset, sizeBytes, expiresAt, written }: Upload,
  { maxFileBytes, now }: Stated,
): Record<string, string> {
  const leftSeconds = Math.max(0, Math.floor((expiresAt.getTime() - now().getTime()) / 1000))
  return {
    'Upload-Offset': String(offset),
    'Upload-Complete': written === undefined ? '?0' : '?1',
    'Upload-Limit': uploadLimit({ maxFileBytes, ttlSeconds: leftSeconds }),
    ...(sizeBytes !== undefined && { 'Upload-Length': String(sizeBytes) }),
    ...(written && { ETag: `"${written.sha256}"`, 'Repr-Digest': reprDigest(written.sha256) }),
  }
}

const reprDigest = (sha256: string): string => `sha-256=:${Uint8Array.fromHex(sha256).toBase64()}:`
