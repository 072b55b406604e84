import type { LeaseHolder, WriterLease } from '../../../ports/edges/writer-lease.ts'

/** What the leases of nodes in one process share. */
export interface SharedLease {
  epoch: number
  url: string
  endsAtMs: number
}

interface Options {
  readonly shared: SharedLease
  readonly nowMs: () => number
  readonly termMs: number
}

/** A WriterLease for tests. */
export class MemoryWriterLease implements WriterLease {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async holder(): Promise<LeaseHolder | undefined> {
    const { shared, nowMs } = this.#options
    const { url, epoch, endsAtMs } = shared
    return endsAtMs > nowMs() ? { url, epoch } : undefined
  }

  async take(url: string): Promise<number | undefined> {
    const { shared, nowMs, termMs } = this.#options
    if (shared.endsAtMs > nowMs()) return undefined
    Object.assign(shared, { url, epoch: shared.epoch + 1, endsAtMs: nowMs() + termMs })
    return shared.epoch
  }

  async renew(epoch: number): Promise<boolean> {
    const { shared, nowMs, termMs } = this.#options
    if (shared.epoch !== epoch || shared.endsAtMs === 0) return false
    shared.endsAtMs = nowMs() + termMs
    return true
  }

  async release(epoch: number): Promise<void> {
    const { shared } = this.#options
    if (shared.epoch === epoch) shared.endsAtMs = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
