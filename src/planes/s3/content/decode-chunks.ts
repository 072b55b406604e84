import { releaseBytes } from '../../../lib/bytes/byte-streams.ts'
import { S3Error } from '../s3-error.ts'
import { ChunkDecoder, type ChunkListener, malformedTrailer } from './chunk-decoder.ts'
import { ChunkSignatures, type ContentSigning } from './chunk-signatures.ts'
import type { ContentTerms } from './content-terms.ts'
import { checksumField } from './content-checksums.ts'

/** Chunks of fewer bytes are joined: whoever keeps them is called for each piece. */
const wholeBytes = 4096

interface Options {
  readonly terms: ContentTerms
  readonly signing: ContentSigning
  /** Told of the checksum in the trailer. */
  readonly onChecksum: (value: string) => void
}

/**
 * The content within the chunks, no more in memory than comes at once. Each piece is its own, so that whoever
 * takes it can give its memory back.
 */
export async function* decodeChunks(
  source: AsyncIterable<Uint8Array>,
  { terms, signing, onChecksum }: Options,
): AsyncGenerator<Uint8Array, void, undefined> {
  const signatures =
    terms.framing?.areChunksSigned === true ? new ChunkSignatures(signing) : undefined
  const decoder = new ChunkDecoder(signatures ?? unsignedChunks)
  for await (const bytes of source) {
    const data = decoder.push(bytes)
    const isCrumbled = data.length > 1 && data.length * wholeBytes > bytes.length
    const pieces = isCrumbled ? [Buffer.concat(data)] : data.map((each) => new Uint8Array(each))
    releaseBytes(bytes)
    yield* pieces
  }
  readTrailer(decoder.end(), { terms, signatures, onChecksum })
}

const unsignedChunks: ChunkListener = {
  begin(_, extension) {
    if (extension !== '') throw new S3Error('InvalidRequest', 'The chunks must not be signed.')
  },
  data() {},
  end() {},
}

interface TrailerOptions extends Pick<Options, 'terms' | 'onChecksum'> {
  readonly signatures: ChunkSignatures | undefined
}

/** It has what was announced, and its signature where chunks are signed. */
function readTrailer(
  lines: readonly string[],
  { terms: { checksum }, signatures, onChecksum }: TrailerOptions,
): void {
  const isAnnounced = checksum !== undefined && checksum.value === undefined
  const wanted = isAnnounced ? [checksumField(checksum.algorithm)] : []
  if (isAnnounced && signatures !== undefined) wanted.push('x-amz-trailer-signature')
  const fields = lines.map(fieldOf)
  if (fields.length !== wanted.length || fields.some(({ name }, at) => name !== wanted[at]))
    throw malformedTrailer()
  const [field, signature] = fields
  if (field === undefined) return
  if (signature !== undefined)
    signatures?.requireTrailer(`${field.name}:${field.value}\n`, signature.value)
  onChecksum(field.value)
}

function fieldOf(line: string) {
  const end = line.indexOf(':')
  if (end === -1) throw malformedTrailer()
  return { name: line.slice(0, end).trim().toLowerCase(), value: line.slice(end + 1).trim() }
}
