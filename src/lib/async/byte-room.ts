/** Room in memory that callers share. */
export interface ByteRoom {
  /**
   * Waits, in the order of asking, until there is room for so many bytes, of which the owner may have a part
   * at a time. `undefined` where there is none before `signal` aborts; dispose of it to give it back.
   */
  take(owner: string, sizeBytes: number, signal: AbortSignal): Promise<Disposable | undefined>
}

interface Options {
  readonly maxBytes: number
  readonly maxBytesPerOwner: number
}

interface Waiter {
  readonly owner: string
  readonly sizeBytes: number
  readonly grant: () => void
}

/** More at once than there may be for an owner is never granted. */
export function createByteRoom({ maxBytes, maxBytesPerOwner }: Options): ByteRoom {
  const takenByOwner = new Map<string, number>()
  const waiters = new Set<Waiter>()
  let takenBytes = 0

  const fits = ({ owner, sizeBytes }: Omit<Waiter, 'grant'>): boolean =>
    takenBytes + sizeBytes <= maxBytes &&
    (takenByOwner.get(owner) ?? 0) + sizeBytes <= maxBytesPerOwner

  function change(owner: string, sizeBytes: number): void {
    takenBytes += sizeBytes
    const ownBytes = (takenByOwner.get(owner) ?? 0) + sizeBytes
    if (ownBytes === 0) takenByOwner.delete(owner)
    else takenByOwner.set(owner, ownBytes)
  }

  function takeNow(owner: string, sizeBytes: number): Disposable {
    change(owner, sizeBytes)
    let isTaken = true
    return {
      [Symbol.dispose]() {
        if (!isTaken) return
        isTaken = false
        change(owner, -sizeBytes)
        for (const waiter of waiters) if (fits(waiter)) waiter.grant()
      },
    }
  }

  return {
    async take(owner, sizeBytes, signal) {
      if (fits({ owner, sizeBytes })) return takeNow(owner, sizeBytes)
      if (signal.aborted) return undefined
      const { promise, resolve } = Promise.withResolvers<Disposable | undefined>()
      const giveUp = () => settle(undefined)
      const settle = (taken: Disposable | undefined) => {
        waiters.delete(waiter)
        signal.removeEventListener('abort', giveUp)
        resolve(taken)
      }
      const waiter = { owner, sizeBytes, grant: () => settle(takeNow(owner, sizeBytes)) }
      waiters.add(waiter)
      signal.addEventListener('abort', giveUp)
      return await promise
    },
  }
}
