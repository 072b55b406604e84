import { invalid } from '../../../domain/errors.ts'

const lengthBytes = 4
const largestPacket = 65_520
const flushLength = 0

/** Reads packets from the beginning of a body, and then whatever follows them (gitprotocol-common). */
export class PacketReader {
  readonly #source: AsyncIterator<Uint8Array>
  #unread: Buffer = Buffer.alloc(0)

  constructor(source: AsyncIterable<Uint8Array>) {
    this.#source = source[Symbol.asyncIterator]()
  }

  /** The text of the next packet; `undefined` for a flush, `'end'` where the body ends before one. */
  async next(): Promise<Buffer | 'end' | undefined> {
    if (!(await this.#fill(lengthBytes))) {
      if (this.#unread.length > 0) throw cutOff()
      return 'end'
    }
    const length = lengthOf(this.#unread.toString('latin1', 0, lengthBytes))
    if (!(await this.#fill(Math.max(length, lengthBytes)))) throw cutOff()
    const packet = this.#unread.subarray(lengthBytes, Math.max(length, lengthBytes))
    this.#unread = this.#unread.subarray(Math.max(length, lengthBytes))
    return length === flushLength ? undefined : packet
  }

  /** What has not been read. */
  async *rest(): AsyncGenerator<Uint8Array, void, undefined> {
    const first = this.#unread
    this.#unread = Buffer.alloc(0)
    if (first.length > 0) yield first
    for (let step = await this.#source.next(); step.done !== true; step = await this.#source.next())
      yield step.value
  }

  async #fill(count: number): Promise<boolean> {
    while (this.#unread.length < count) {
      const { done, value } = await this.#source.next()
      if (done === true) return false
      this.#unread =
        this.#unread.length === 0 ? Buffer.from(value) : Buffer.concat([this.#unread, value])
    }
    return true
  }
}

function lengthOf(text: string): number {
  const length = /^[0-9a-f]{4}$/iu.test(text) ? Number.parseInt(text, 16) : -1
  const isPossible = length === flushLength || (length >= lengthBytes && length <= largestPacket)
  if (!isPossible) throw invalid('body', 'must be packets of the protocol of git')
  return length
}

const cutOff = () => invalid('body', 'must be complete')
