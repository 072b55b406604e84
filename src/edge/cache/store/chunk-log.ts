import type { ByteSpan } from '../../../http/response/ranges.ts'
import type { SpillFile } from './spill-file.ts'
import type { StoredBody } from './stored-response.ts'

/** Chunks in the order they came, to be followed by any number of readers while more are coming. */
export interface ChunkLog {
  readonly receivedBytes: number
  push(chunk: Uint8Array): void
  /** No more will come; with an error, readers get it after the last chunk. */
  end(failure?: { readonly error: unknown }): void
  /** The chunk at `index` once it has come, `undefined` at a proper end. */
  at(index: number): Promise<Uint8Array | undefined>
  /** Lets go of the chunks up to `index`. A reader that comes for them later gets an error. */
  forget(index: number): void
  /** Wakes whoever waits in {@link ChunkLog.changed}. */
  signal(): void
  changed(): Promise<void>
  /** Waits until what was pushed no longer crowds memory. False where it cannot be kept after all. */
  drained(): Promise<boolean>
  /** From now on chunks are only handed on. */
  keepNoMore(): void
  /** All chunks as one body, or `undefined` where they could not be kept. Nothing more may be pushed. */
  finish(): Promise<StoredBody | undefined>
  /** Nobody reads any more. */
  close(): Promise<void>
}

/** Where a log puts its chunks once it holds more than `maxMemoryBytes`. */
export interface Spill {
  readonly maxMemoryBytes: number
  readonly openFile: () => SpillFile
}

export const createChunkLog = (spill?: Spill): ChunkLog => new GrowingLog(spill)

/** A chunk, or where in the file it is, or nothing once it was forgotten. */
type Place = Uint8Array | { readonly start: number; readonly length: number } | undefined

/** How much may wait to be written before the origin has to. */
const maxUnwrittenBytes = 4 * 2 ** 20

class GrowingLog implements ChunkLog {
  readonly #places: Place[] = []
  readonly #spill: Spill | undefined
  #file: SpillFile | undefined
  #writing: Promise<void> | undefined
  #writtenChunks = 0
  #writtenBytes = 0
  #receivedBytes = 0
  #isKept = true
  #hasEnded = false
  #failure: { readonly error: unknown } | undefined
  #change = Promise.withResolvers<void>()

  constructor(spill: Spill | undefined) {
    this.#spill = spill
  }

  get receivedBytes(): number {
    return this.#receivedBytes
  }

  push(chunk: Uint8Array): void {
    this.#places.push(chunk)
    this.#receivedBytes += chunk.length
    if (this.#isKept) this.#spillOver()
    this.signal()
  }

  end(failure?: { readonly error: unknown }): void {
    this.#hasEnded = true
    this.#failure = failure
    this.signal()
  }

  async at(index: number): Promise<Uint8Array | undefined> {
    while (index >= this.#places.length && !this.#hasEnded) await this.#change.promise
    if (index >= this.#places.length) {
      if (this.#failure !== undefined) throw this.#failure.error
      return undefined
    }
    const place = this.#places[index]
    if (place instanceof Uint8Array) return place
    if (place !== undefined && this.#file !== undefined)
      return this.#file.read(place.start, place.length)
    throw new Error('These bytes were passed on and not kept')
  }

  forget(index: number): void {
    for (let done = index; done >= 0 && this.#places[done] !== undefined; done -= 1)
      this.#places[done] = undefined
  }

  signal(): void {
    this.#change.resolve()
    this.#change = Promise.withResolvers()
  }

  changed(): Promise<void> {
    return this.#change.promise
  }

  async drained(): Promise<boolean> {
    const isCrowded = () => this.#receivedBytes - this.#writtenBytes > maxUnwrittenBytes
    while (this.#writing !== undefined && isCrowded()) await this.#change.promise
    return this.#isKept
  }

  keepNoMore(): void {
    this.#isKept = false
  }

  async finish(): Promise<StoredBody | undefined> {
    await this.#writing
    if (!this.#isKept) return undefined
    const whole = this.#file?.finish()
    return whole ?? bodyOfChunks(this.#places as Uint8Array<ArrayBuffer>[])
  }

  async close(): Promise<void> {
    await this.#writing
    await this.#file?.close()
  }

  #spillOver(): void {
    if (this.#spill !== undefined && this.#receivedBytes > this.#spill.maxMemoryBytes)
      this.#file ??= this.#spill.openFile()
    if (this.#file !== undefined) this.#writing ??= this.#write(this.#file)
  }

  /** Moves chunks into the file until it has caught up. A disk that fails costs no answer. */
  async #write(file: SpillFile): Promise<void> {
    try {
      while (this.#isKept && this.#writtenChunks < this.#places.length) await this.#writeOne(file)
    } catch {
      this.#isKept = false
    } finally {
      this.#writing = undefined
      this.signal()
    }
  }

  async #writeOne(file: SpillFile): Promise<void> {
    const chunk = this.#places[this.#writtenChunks]
    if (!(chunk instanceof Uint8Array)) throw new Error('A chunk went before it was written')
    const start = await file.append(chunk)
    this.#places[this.#writtenChunks] = { start, length: chunk.length }
    this.#writtenChunks += 1
    this.#writtenBytes += chunk.length
    this.signal()
  }
}

function bodyOfChunks(chunks: readonly Uint8Array<ArrayBuffer>[]): StoredBody {
  const [first] = chunks
  return chunks.length === 1 && first !== undefined && isAllOfItsBuffer(first)
    ? new HeldBody(first)
    : bodyOf(new Blob([...chunks]))
}

/** What is a small part of something larger would keep all of that in memory. */
const isAllOfItsBuffer = ({ byteLength, buffer }: Uint8Array): boolean =>
  byteLength * maxUnusedShare >= buffer.byteLength

/** How many times larger a buffer may be than what is kept of it. */
const maxUnusedShare = 1.15

/** A body that came in one piece is kept as it came, and as a `Blob` instead once somebody needs one. */
class HeldBody implements StoredBody {
  readonly sizeBytes: number
  readonly isComplete = true
  #bytes: Uint8Array<ArrayBuffer> | undefined
  #blob: Blob | undefined

  constructor(bytes: Uint8Array<ArrayBuffer>) {
    this.#bytes = bytes
    this.sizeBytes = bytes.length
  }

  get held(): Uint8Array<ArrayBuffer> | undefined {
    return this.#bytes
  }

  open(span?: ByteSpan): Blob {
    if (this.#bytes !== undefined && span !== undefined)
      return new Blob([this.#bytes.subarray(span.start, span.end)])
    this.#blob ??= new Blob(this.#bytes && [this.#bytes])
    this.#bytes = undefined
    return span === undefined ? this.#blob : this.#blob.slice(span.start, span.end)
  }
}

export const bodyOf = (blob: Blob): StoredBody => ({
  sizeBytes: blob.size,
  isComplete: true,
  open: (span) => (span === undefined ? blob : blob.slice(span.start, span.end)),
})

export interface Following {
  readonly span: ByteSpan
  /** Called with the place of a chunk that was read and how many bytes the reader has now. */
  readonly onRead: (index: number, readBytes: number) => void
  /** Called once, however the reading ends. */
  readonly onEnd: () => void
}

export function followLog(log: ChunkLog, following: Following): ReadableStream<Uint8Array> {
  const parts = partsOf(log, following)
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        const { value, done } = await parts.next()
        if (done === true) controller.close()
        else controller.enqueue(value)
      },
      async cancel() {
        following.onEnd()
        await parts.return(undefined)
      },
    },
    { highWaterMark: 0 },
  )
}

async function* partsOf(
  log: ChunkLog,
  { span, onRead, onEnd }: Following,
): AsyncGenerator<Uint8Array, void> {
  let position = 0
  try {
    for (let index = 0; position < span.end; index += 1) {
      const chunk = await log.at(index)
      if (chunk === undefined) return
      const part = overlap(chunk, position, span)
      position += chunk.length
      onRead(index, position)
      if (part.length > 0) yield part
    }
  } finally {
    onEnd()
  }
}

const overlap = (chunk: Uint8Array, position: number, span: ByteSpan): Uint8Array =>
  chunk.subarray(
    Math.max(0, Math.min(chunk.length, span.start - position)),
    Math.max(0, span.end - position),
  )
