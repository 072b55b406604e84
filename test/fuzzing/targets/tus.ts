import { ServiceError } from '../../../src/domain/errors.ts'
import {
  readBytes,
  readChecksum,
  readLength,
  readMetadata,
} from '../../../src/planes/uploads/tus/tus-fields.ts'
import { type FuzzTarget, outcomeOf, promise, textOf } from '../fuzz-target.ts'

/** Each line is a header field. What is read of the metadata is read again when it is written. */
export const tus: FuzzTarget = {
  name: 'tus',
  words: [
    'Upload-Length: ',
    'Upload-Offset: ',
    'Upload-Metadata: ',
    'Upload-Checksum: ',
    'Upload-Defer-Length: 1',
    'sha1 ',
    'sha256 ',
    'crc32 ',
    'path ',
    'filename ',
    'YQ==',
    '=',
    ',',
    ' ',
    '\n',
    '\t',
    '9007199254740991',
    '____',
    'w6k=',
  ],
  async look(input) {
    const headers = headersOf(textOf(input))
    if (headers === undefined) return 'refused: no header fields'
    const outcomes = await Promise.all(
      readers.map((read) => outcomeOf(() => read(headers), isRefusal)),
    )
    return outcomes.join('; ')
  },
}

const readers: readonly ((headers: Headers) => string)[] = [
  (headers) => typeof readLength(headers),
  (headers) => {
    const bytes = readBytes(headers, 'Upload-Offset')
    promise(bytes === undefined || (Number.isSafeInteger(bytes) && bytes >= 0), `${bytes} bytes`)
    return typeof bytes
  },
  (headers) => {
    const checksum = readChecksum(headers.get('upload-checksum'))
    return `${checksum?.algorithm}`
  },
  (headers) => {
    const metadata = readMetadata(headers.get('upload-metadata'))
    const written = [...metadata]
      .map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`)
      .join(',')
    // Written anew it may be longer than what may be sent.
    const again = written.length > 8192 ? metadata : readMetadata(written)
    promise(Bun.deepEquals(again, metadata), 'the metadata are otherwise when they are read again')
    return `${metadata.size} metadata`
  },
]

/** As a server hands them on; `undefined` where it would not. */
function headersOf(text: string): Headers | undefined {
  const headers = new Headers()
  try {
    for (const line of text.split('\n')) {
      const end = line.indexOf(':')
      if (end > 0) headers.append(line.slice(0, end), line.slice(end + 1).trim())
    }
    return headers
  } catch {
    return undefined
  }
}

const isRefusal = (thrown: unknown): thrown is Error =>
  thrown instanceof ServiceError && thrown.code === 'InvalidParameter'
