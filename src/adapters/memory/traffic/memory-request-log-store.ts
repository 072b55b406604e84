import {
  type LinePosition,
  type RequestKind,
  requestKindOf,
  type RequestLine,
  type RequestLogStore,
  type StoredLine,
} from '../../../ports/traffic/request-log-store.ts'

interface Kept {
  readonly kind: RequestKind
  readonly offset: number
  readonly text: string
}

/** Of each kind the newest, as long as they have room. All of a process are of one segment. */
export class MemoryRequestLogStore implements RequestLogStore {
  readonly #maxBytes: number
  #kept: readonly Kept[] = []
  #offset = 0

  constructor({ maxBytes }: { readonly maxBytes: number }) {
    this.#maxBytes = maxBytes
  }

  append(lines: readonly RequestLine[]): Promise<void> {
    const added = lines.map(({ at, ...rest }) => ({
      kind: requestKindOf(rest.status),
      offset: (this.#offset += 1),
      text: JSON.stringify({ at, ...rest }),
    }))
    const room = new Map<RequestKind, number>()
    this.#kept = [...this.#kept, ...added]
      .toReversed()
      .filter(({ kind, text }) => {
        const taken = (room.get(kind) ?? 0) + text.length
        room.set(kind, taken)
        return taken <= this.#maxBytes
      })
      .toReversed()
    return Promise.resolve()
  }

  async *read(kind: RequestKind, before?: LinePosition): AsyncIterable<readonly StoredLine[]> {
    yield await Promise.resolve(
      this.#kept
        .filter((each) => each.kind === kind && each.offset < (before?.offset ?? Infinity))
        .map(({ offset, text }) => ({ position: { segment: 1, offset }, text }))
        .toReversed(),
    )
  }

  forgetBefore(): Promise<void> {
    this.#kept = []
    return Promise.resolve()
  }
}
