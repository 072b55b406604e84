import type { ErrorCode, ServiceError } from '../../../domain/errors.ts'
import type { Protocol, ProtocolRefusal } from '../../../http/protocol.ts'

/** What came before 6 has other fields and media types. */
export const interopVersions = { oldest: 6, newest: 9 } as const
export const versionField = 'Upload-Draft-Interop-Version'
/** The media type of a piece. */
export const pieceType = 'application/partial-upload'
/** In the context of a refusal: all bytes are there and stored, so nothing can be added. */
export const completeMember = 'IsComplete'

const problems = 'https://iana.org/assignments/http-problem-types'

/**
 * Resumable Uploads for HTTP (draft-ietf-httpbis-resumable-upload). Its interim responses (104) are not
 * sent: Bun's server cannot send any.
 */
export const draftProtocol: Protocol = {
  headers: { [versionField]: String(interopVersions.newest) },
  refusal: (error) => {
    if (error.code === 'OffsetMismatch') return mismatchingOffset(error)
    if (error.code === 'UploadLengthMismatch') return { problem: lengthProblem(error) }
    if (error.code === 'PayloadTooLarge') return tooLarge(error)
    return isOfFile(error) ? { headers: { 'Upload-Complete': '?1' } } : {}
  },
}

function mismatchingOffset({ context, message }: ServiceError): ProtocolRefusal {
  const { Offset: offset, Provided: provided } = context
  return {
    headers: { 'Upload-Offset': String(offset), 'Upload-Complete': '?0' },
    problem: {
      type: `${problems}#mismatching-upload-offset`,
      title: 'Mismatching Upload Offset',
      'expected-offset': offset,
      ...(provided !== undefined && { 'provided-offset': provided }),
      detail: message,
    },
  }
}

const lengthProblem = ({ context }: ServiceError) =>
  context[completeMember] === true
    ? { type: `${problems}#completed-upload`, title: 'Upload Is Completed' }
    : { type: `${problems}#inconsistent-upload-length`, title: 'Inconsistent Upload Length Values' }

const tooLarge = ({ context }: ServiceError): ProtocolRefusal => ({
  headers: { 'Upload-Limit': `max-size=${String(context['MaxSize'])}` },
})

/** Refusals of the file, all of whose bytes are there: going on with the upload would not help. */
const ofFile: ReadonlySet<ErrorCode> = new Set([
  'PathConflict',
  'PreconditionFailed',
  'UnsupportedMediaType',
  'ZoneNotFound',
])

/** A checksum is of a piece or of the file. */
const isOfFile = ({ code, target }: ServiceError): boolean =>
  target !== 'Content-Type' &&
  (ofFile.has(code) || (code === 'ChecksumMismatch' && target !== 'checksum'))
