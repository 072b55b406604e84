import { S3Error } from '../s3-error.ts'

/** Told of chunks as they go by. */
export interface ChunkListener {
  /** `extension` is what stands after the size: `chunk-signature=…`. */
  begin(sizeBytes: number, extension: string): void
  data(bytes: Uint8Array): void
  end(): void
}

type State = 'size' | 'data' | 'data end' | 'trailer'

/** A size in hexadecimal digits and a signature. */
const maxLineLength = 256
const maxTrailerLength = 4096
const sizePattern = /^([0-9a-f]{1,13})(?:;(.*))?$/iu
const lineFeed = 10

/**
 * Takes the framing of `aws-chunked` away, however the bytes are cut: `<size>[;extension]\r\n<data>\r\n` …
 * `0[;extension]\r\n[trailer]\r\n`. Fails with an `S3Error` where they are not framed like that.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/sigv4-streaming.html
 */
export class ChunkDecoder {
  readonly #listener: ChunkListener
  #state: State = 'size'
  /** What of a line has come, or of the trailer. */
  #text = ''
  #remainingBytes = 0

  constructor(listener: ChunkListener) {
    this.#listener = listener
  }

  /** The data in these bytes, as views of them. */
  push(bytes: Uint8Array): readonly Uint8Array[] {
    const found: Uint8Array[] = []
    let at = 0
    while (at < bytes.length) {
      if (this.#state === 'data') {
        const data = bytes.subarray(at, at + this.#remainingBytes)
        found.push(data)
        at += data.length
        this.#takeData(data)
      } else at = this.#takeText(bytes, at)
    }
    return found
  }

  /** The lines of the trailer. Fails where the last chunk has not come. */
  end(): readonly string[] {
    if (this.#state !== 'trailer') throw incompleteBody()
    return this.#text.split('\n').flatMap((line) => (line.trim() === '' ? [] : line.trim()))
  }

  #takeData(data: Uint8Array): void {
    this.#listener.data(data)
    this.#remainingBytes -= data.length
    if (this.#remainingBytes > 0) return
    this.#listener.end()
    this.#state = 'data end'
  }

  /** Answers where what follows begins. */
  #takeText(bytes: Uint8Array, start: number): number {
    const isTrailer = this.#state === 'trailer'
    const lineEnd = isTrailer ? -1 : bytes.indexOf(lineFeed, start)
    const end = lineEnd === -1 ? bytes.length : lineEnd + 1
    if (this.#text.length + end - start > (isTrailer ? maxTrailerLength : maxLineLength))
      throw isTrailer ? malformedTrailer() : malformedChunk()
    this.#text += latin1(bytes.subarray(start, end))
    if (lineEnd !== -1) this.#takeLine()
    return end
  }

  #takeLine(): void {
    const line = this.#text
    this.#text = ''
    if (!line.endsWith('\r\n')) throw malformedChunk()
    if (this.#state === 'size') this.#begin(line.slice(0, -2))
    else if (line === '\r\n') this.#state = 'size'
    else throw malformedChunk()
  }

  #begin(line: string): void {
    const [, digits, extension = ''] = sizePattern.exec(line) ?? []
    if (digits === undefined) throw malformedChunk()
    const sizeBytes = Number.parseInt(digits, 16)
    this.#listener.begin(sizeBytes, extension)
    this.#remainingBytes = sizeBytes
    this.#state = sizeBytes === 0 ? 'trailer' : 'data'
    if (sizeBytes === 0) this.#listener.end()
  }
}

const latin1 = (bytes: Uint8Array): string =>
  Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1')

export const incompleteBody = (cause?: unknown): S3Error =>
  new S3Error(
    'IncompleteBody',
    'You did not provide the number of bytes specified by the Content-Length HTTP header',
    { cause },
  )

export const malformedTrailer = (): S3Error =>
  new S3Error(
    'MalformedTrailerError',
    'The request contained trailing data that was not well-formed or did not conform to our published schema.',
  )

const malformedChunk = (): S3Error =>
  new S3Error('InvalidRequest', 'The chunks of the body are not framed as aws-chunked says.')
