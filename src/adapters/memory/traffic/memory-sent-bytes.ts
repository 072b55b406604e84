import type {
  ConnectionEnds,
  SentBytes,
  SentConnection,
  SentSoFar,
} from '../../../ports/traffic/sent-bytes.ts'

interface Kept {
  readonly id: string
  readonly waitingBytes: number
  sentBytes: number
  isOpen: boolean
}

/** Connections that tests open, send over and close. */
export class MemorySentBytes implements SentBytes {
  readonly #connections = new Map<string, Kept>()
  readonly #isTold = new WeakMap<Kept, boolean>()
  #opened = 0

  open(ends: ConnectionEnds, waitingBytes = 0): void {
    this.#opened += 1
    const id = String(this.#opened)
    this.#connections.set(nameOf(ends), { id, sentBytes: 0, waitingBytes, isOpen: true })
  }

  send(ends: ConnectionEnds, bytes: number): void {
    const kept = this.#connections.get(nameOf(ends))
    if (kept !== undefined) kept.sentBytes += bytes
  }

  /** Where `isTold` is not set, how much it had sent is lost. */
  close(ends: ConnectionEnds, isTold = true): void {
    const kept = this.#connections.get(nameOf(ends))
    this.#connections.delete(nameOf(ends))
    if (kept === undefined) return
    kept.isOpen = false
    this.#isTold.set(kept, isTold)
  }

  connection(ends: ConnectionEnds): SentConnection | undefined {
    const found = this.#connections.get(nameOf(ends))
    return (
      found && {
        id: found.id,
        measure: () => this.#measure(found),
        [Symbol.dispose]: () => undefined,
      }
    )
  }

  [Symbol.dispose](): void {
    this.#connections.clear()
  }

  #measure(kept: Kept): SentSoFar | undefined {
    const { sentBytes, waitingBytes, isOpen } = kept
    if (!isOpen && this.#isTold.get(kept) !== true) return undefined
    return { sentBytes, waitingBytes: isOpen ? waitingBytes : 0, isOpen }
  }
}

const nameOf = ({ localPort, peerAddress, peerPort }: ConnectionEnds): string =>
  `${localPort} ${peerAddress} ${peerPort}`
