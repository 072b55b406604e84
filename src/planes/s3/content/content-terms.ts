import { S3Error } from '../s3-error.ts'
import {
  bytesOfBase64,
  type ChecksumAlgorithm,
  checksumAlgorithms,
  checksumField,
  isChecksum,
} from './content-checksums.ts'

/** How the content of a request is framed. */
export interface Framing {
  readonly areChunksSigned: boolean
  readonly hasTrailer: boolean
}

/** What a request says of its content, before any of it has come. */
export interface ContentTerms {
  /** Of the content itself; `undefined` where the request does not say. */
  readonly sizeBytes: number | undefined
  /** `undefined`: as it is. */
  readonly framing: Framing | undefined
  /** Lower-case hex, as it was signed. */
  readonly sha256: string | undefined
  /** Base64. */
  readonly md5: string | undefined
  readonly checksum: ChecksumTerms | undefined
}

export interface ChecksumTerms {
  readonly algorithm: ChecksumAlgorithm
  /** Base64; `undefined` where it comes in the trailer. */
  readonly value: string | undefined
}

/** `payloadHash` is what was signed for the content; `undefined` where nothing was. */
export function contentTermsOf(
  { method, headers, url }: Pick<Request, 'method' | 'headers' | 'url'>,
  payloadHash = unsigned,
): ContentTerms {
  const framing = framings.get(payloadHash)
  return {
    sizeBytes: sizeOf(headers, framing),
    framing,
    sha256: framing === undefined ? sha256Of(payloadHash) : undefined,
    md5: md5Of(headers),
    checksum: isOfWhatIsSent(method, url) ? checksumOf(headers, framing) : undefined,
  }
}

const unsigned = 'UNSIGNED-PAYLOAD'

const framings: ReadonlyMap<string, Framing> = new Map([
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD', { areChunksSigned: true, hasTrailer: false }],
  ['STREAMING-AWS4-HMAC-SHA256-PAYLOAD-TRAILER', { areChunksSigned: true, hasTrailer: true }],
  ['STREAMING-UNSIGNED-PAYLOAD-TRAILER', { areChunksSigned: false, hasTrailer: true }],
])

const sha256Pattern = /^[0-9a-f]{64}$/u

function sha256Of(payloadHash: string): string | undefined {
  if (payloadHash === unsigned) return undefined
  if (sha256Pattern.test(payloadHash)) return payloadHash
  throw new S3Error(
    'InvalidArgument',
    `x-amz-content-sha256 must be ${unsigned}, ${[...framings.keys()].join(', ')}, or a valid sha256 value.`,
    { elements: { ArgumentName: 'x-amz-content-sha256' } },
  )
}

const lengthPattern = /^\d{1,15}$/u

function sizeOf(headers: Headers, framing: Framing | undefined): number | undefined {
  const name = framing === undefined ? 'content-length' : 'x-amz-decoded-content-length'
  const text = headers.get(name)
  if (text === null) return undefined
  if (lengthPattern.test(text)) return Number(text)
  throw new S3Error('InvalidArgument', `${name} must be a number of bytes`, {
    elements: { ArgumentName: name },
  })
}

const md5SizeBytes = 16

function md5Of(headers: Headers): string | undefined {
  const value = headers.get('content-md5')
  if (value === null) return undefined
  if (bytesOfBase64(value)?.length === md5SizeBytes) return value
  throw new S3Error('InvalidDigest', 'The Content-MD5 you specified is not valid.')
}

/** What completes an upload has the checksum of the object that comes of it. */
const isOfWhatIsSent = (method: string, url: string): boolean =>
  method === 'PUT' || (method === 'POST' && !new URL(url).searchParams.has('uploadId'))

function checksumOf(headers: Headers, framing: Framing | undefined): ChecksumTerms | undefined {
  const sent = checksumAlgorithms.filter((each) => headers.has(checksumField(each)))
  const trailing = framing?.hasTrailer === true ? trailingOf(headers) : []
  const [algorithm, ...others] = [...sent, ...trailing]
  if (others.length > 0) throw tooMany()
  requireAsSaid(headers, algorithm)
  if (algorithm === undefined) return undefined
  return { algorithm, value: sent.length === 0 ? undefined : valueOf(headers, algorithm) }
}

function valueOf(headers: Headers, algorithm: ChecksumAlgorithm): string {
  const name = checksumField(algorithm)
  const value = headers.get(name) ?? ''
  if (!isChecksum(value, algorithm)) throw invalidValue(name)
  return value
}

/** Which checksum the trailer is to have. */
function trailingOf(headers: Headers): readonly ChecksumAlgorithm[] {
  const name = headers.get('x-amz-trailer')?.trim().toLowerCase()
  if (name === undefined) return []
  const algorithm = checksumAlgorithms.find((each) => checksumField(each) === name)
  if (algorithm === undefined) throw invalidValue('x-amz-trailer')
  return [algorithm]
}

function requireAsSaid(headers: Headers, algorithm: ChecksumAlgorithm | undefined): void {
  const name = 'x-amz-sdk-checksum-algorithm'
  const said = headers.get(name)?.trim().toUpperCase()
  if (said === undefined || said === algorithm) return
  if (algorithm !== undefined || !checksumAlgorithms.some((each) => each === said))
    throw invalidValue(name)
  throw new S3Error(
    'InvalidRequest',
    `${name} specified, but no corresponding x-amz-checksum-* or x-amz-trailer headers were found.`,
  )
}

const invalidValue = (name: string): S3Error =>
  new S3Error('InvalidRequest', `Value for ${name} header is invalid.`)

const tooMany = (): S3Error =>
  new S3Error(
    'InvalidRequest',
    'Expecting a single x-amz-checksum- header. Multiple checksum Types are not allowed.',
  )
