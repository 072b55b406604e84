import type { ByteSpan } from '../../../http/response/ranges.ts'
import { followLog, type ChunkLog } from './chunk-log.ts'
import type { StoredBody } from './stored-response.ts'

/** How much the bodies that are coming in may hold in memory, all together. */
export interface FillBudget {
  /** Whether there was room for `sizeBytes` more; if so they are taken. */
  take(sizeBytes: number): boolean
  giveBack(sizeBytes: number): void
}

export function createFillBudget(maxBytes: number): FillBudget {
  let takenBytes = 0
  return {
    take(sizeBytes) {
      if (takenBytes + sizeBytes > maxBytes) return false
      takenBytes += sizeBytes
      return true
    },
    giveBack(sizeBytes) {
      takenBytes -= sizeBytes
    },
  }
}

/** `passed-on`: too large to be kept, so the first reader got it straight from the origin. */
export type FillOutcome = 'complete' | 'passed-on' | 'failed'

export interface FillOptions {
  readonly source: ReadableStream<Uint8Array>
  /** Where the chunks go. */
  readonly log: ChunkLog
  /** As declared by the origin; the source fails where it does not hold. */
  readonly sizeBytes: number | undefined
  readonly maxBytes: number
  /** How much of it the log may come to hold in memory. */
  readonly maxMemoryBytes: number
  readonly budget: FillBudget
  /** All bytes have come in, and there are no more. */
  readonly onComplete: (body: StoredBody) => void
}

/** Bytes that may wait for the only reader of a body that is not kept. */
const passOnWindowBytes = 1 << 20

type State = 'filling' | 'passing-on' | FillOutcome

/**
 * A body that is read from the origin once, as fast as it comes, while any number of readers follow at
 * their own pace. It is complete only when the origin ends it properly; a reader of one that fails
 * gets the error after the bytes, never a proper end.
 */
export class Fill implements StoredBody {
  /** Whether there is room for all of it, so that further readers may follow while it comes in. */
  readonly isShareable: boolean
  readonly settled: Promise<FillOutcome>
  /** Whether it is kept; known as soon as it turns out not to be. */
  readonly kept: Promise<boolean>
  readonly #decision = Promise.withResolvers<boolean>()
  readonly #options: FillOptions
  readonly #input: ReadableStreamDefaultReader<Uint8Array>
  readonly #log: ChunkLog
  #state: State = 'filling'
  #takenBytes = 0
  #furthestReadBytes = 0
  /** Before the first reader comes, nobody has lost interest. */
  #readers: number | undefined
  #body: StoredBody | undefined

  constructor(options: FillOptions) {
    const { source, sizeBytes, maxBytes, log } = options
    this.#options = options
    this.#log = log
    this.#input = source.getReader()
    this.kept = this.#decision.promise
    this.isShareable = sizeBytes !== undefined && sizeBytes <= maxBytes && this.#take(sizeBytes)
    if (sizeBytes !== undefined && !this.isShareable) this.#passOn()
    this.settled = this.#pump()
      .then((body) => this.#settle(body === undefined ? 'passed-on' : 'complete', { body }))
      .catch((error: unknown) => this.#settle('failed', { failure: { error } }))
  }

  get sizeBytes(): number | undefined {
    return this.#body?.sizeBytes ?? this.#options.sizeBytes
  }

  get held(): Uint8Array<ArrayBuffer> | undefined {
    return this.#body?.held
  }

  get isComplete(): boolean {
    return this.#body !== undefined
  }

  open(span: ByteSpan = { start: 0, end: Infinity }): Blob | ReadableStream<Uint8Array> {
    return this.#body?.open(span) ?? this.#follow(span)
  }

  /** Answers the complete body, or `undefined` where it was only passed on. */
  async #pump(): Promise<StoredBody | undefined> {
    for (;;) {
      while (this.#mustWait()) await this.#log.changed()
      if (this.#state === 'filling' && !(await this.#log.drained())) this.#passOn()
      const { done, value } = await this.#input.read()
      if (done) return this.#state === 'passing-on' ? undefined : this.#log.finish()
      this.#makeRoomFor(value)
      this.#log.push(value)
    }
  }

  /** A body that is not kept comes in no faster than it is read. */
  #mustWait(): boolean {
    const waitingBytes = this.#log.receivedBytes - this.#furthestReadBytes
    return this.#state === 'passing-on' && this.#readers !== 0 && waitingBytes > passOnWindowBytes
  }

  #makeRoomFor(chunk: Uint8Array): void {
    if (this.#state !== 'filling' || this.isShareable) return
    const receivedBytes = this.#log.receivedBytes + chunk.length
    if (receivedBytes > this.#options.maxBytes || !this.#take(receivedBytes)) this.#passOn()
  }

  /** Takes what `receivedBytes` come to hold in memory. */
  #take(receivedBytes: number): boolean {
    const { maxMemoryBytes, budget } = this.#options
    const wantedBytes = Math.min(receivedBytes, maxMemoryBytes)
    const isTaken = budget.take(wantedBytes - this.#takenBytes)
    if (isTaken) this.#takenBytes = wantedBytes
    return isTaken
  }

  #passOn(): void {
    this.#state = 'passing-on'
    this.#log.keepNoMore()
    this.#decision.resolve(false)
    this.#stopIfUnread()
  }

  #stopIfUnread(): void {
    if (this.#state !== 'passing-on' || this.#readers !== 0) return
    void this.#input.cancel().catch(() => {})
  }

  #settle(
    outcome: FillOutcome,
    result: {
      readonly body?: StoredBody | undefined
      readonly failure?: { readonly error: unknown }
    },
  ): FillOutcome {
    if (result.body !== undefined) {
      this.#body = result.body
      this.#options.onComplete(result.body)
    }
    this.#state = outcome
    this.#decision.resolve(outcome === 'complete')
    this.#options.budget.giveBack(this.#takenBytes)
    this.#log.end(result.failure)
    this.#closeIfUnread()
    return outcome
  }

  #closeIfUnread(): void {
    const isSettled = this.#state !== 'filling' && this.#state !== 'passing-on'
    if (isSettled && (this.#readers ?? 0) === 0) void this.#log.close().catch(() => {})
  }

  #follow(span: ByteSpan): ReadableStream<Uint8Array> {
    this.#readers = (this.#readers ?? 0) + 1
    let hasEnded = false
    return followLog(this.#log, {
      span,
      onRead: (index, readBytes) => {
        this.#furthestReadBytes = Math.max(this.#furthestReadBytes, readBytes)
        if (this.#state !== 'passing-on' && this.#state !== 'passed-on') return
        this.#log.forget(index)
        this.#log.signal()
      },
      onEnd: () => {
        if (hasEnded) return
        hasEnded = true
        this.#readers = (this.#readers ?? 1) - 1
        this.#stopIfUnread()
        this.#log.signal()
        this.#closeIfUnread()
      },
    })
  }
}

/** Lets go of a body that nobody is going to read. */
export async function discardBody(body: StoredBody): Promise<void> {
  const opened = body.open()
  if (opened instanceof ReadableStream) await opened.cancel()
}
