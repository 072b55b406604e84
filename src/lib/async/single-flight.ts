interface Flight<T> {
  readonly promise: Promise<T>
  readonly controller: AbortController
  waiters: number
}

export interface Landing<T> {
  readonly value: T
  /** Whether someone else had asked before. */
  readonly isShared: boolean
}

/** Work that all who ask for the same thing at the same time share. */
export interface SingleFlight<T> {
  /**
   * Joins the work on `key`, or starts it. Who leaves through `signal` is rejected with its reason;
   * once the last one has left, the work's own signal is aborted.
   */
  run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<Landing<T>>
  /** The same for who waits to the end, and does not care who was first. */
  share(key: string, work: () => Promise<T>): Promise<T>
  has(key: string): boolean
  readonly count: number
}

export function createSingleFlight<T>(): SingleFlight<T> {
  const flightByKey = new Map<string, Flight<T>>()

  function start(key: string, work: (signal: AbortSignal) => Promise<T>): Flight<T> {
    const controller = new AbortController()
    const promise = work(controller.signal)
    const flight: Flight<T> = { promise, controller, waiters: 0 }
    flightByKey.set(key, flight)
    const land = () => {
      if (flightByKey.get(key) === flight) flightByKey.delete(key)
    }
    promise.then(land, land)
    return flight
  }

  function leave(key: string, flight: Flight<T>): void {
    flight.waiters -= 1
    if (flight.waiters > 0) return
    // Who comes next must not join work that has been told to stop.
    if (flightByKey.get(key) === flight) flightByKey.delete(key)
    flight.controller.abort(new Error('Nobody waits for this any more'))
  }

  async function run(
    key: string,
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<T>,
  ): Promise<Landing<T>> {
    signal?.throwIfAborted()
    const joined = flightByKey.get(key)
    const flight = joined ?? start(key, work)
    flight.waiters += 1
    try {
      return { value: await untilAborted(flight.promise, signal), isShared: joined !== undefined }
    } finally {
      leave(key, flight)
    }
  }

  return {
    run,
    share: async (key, work) => (await run(key, undefined, work)).value,
    has: (key) => flightByKey.has(key),
    get count() {
      return flightByKey.size
    },
  }
}

async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (signal === undefined) return await promise
  const { promise: aborted, reject } = Promise.withResolvers<never>()
  const onAbort = () => reject(signal.reason as Error)
  signal.addEventListener('abort', onAbort, { once: true })
  try {
    return await Promise.race([promise, aborted])
  } finally {
    signal.removeEventListener('abort', onAbort)
  }
}

/**
 * What `make` makes, once for each name, and kept. Where it failed it is made again for who asks next.
 * Nothing is ever let go: for names that we give ourselves, or for as long as one piece of work takes.
 */
export function makeOnce<T>(make: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const madeByName = new Map<string, Promise<T>>()
  return (name) => {
    const known = madeByName.get(name)
    if (known !== undefined) return known
    const made = make(name)
    madeByName.set(name, made)
    made.catch(() => madeByName.delete(name))
    return made
  }
}
