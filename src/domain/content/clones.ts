import type { Slots } from '../../lib/async/slots.ts'
import {
  type CloneExchange,
  CloneRequestError,
  type CloneSource,
} from '../../ports/content/clone-source.ts'
import type {
  ZoneOrigin,
  ZoneRepositories,
} from '../../ports/zone-repositories/zone-repositories.ts'
import { invalid, ServiceError } from '../errors.ts'

/** What is asked for: of the whole repository, or of that of a zone. */
export interface CloneQuestion {
  /** Of git's protocol; left out: what there is to fetch. */
  readonly request?: Uint8Array | undefined
  readonly zone?: ZoneOrigin | undefined
}

/** Answers those who clone the repository, so many at a time. */
export interface Clones {
  /**
   * The response to a request of git's protocol, or, without one, what there is to fetch. Resolves once
   * git has something to say: throws `InvalidParameter` where it was asked for nothing it knows, and
   * `Unavailable` where too many are cloning.
   */
  open(exchange: CloneExchange, question: CloneQuestion): Promise<ReadableStream<Uint8Array>>
}

interface Dependencies {
  readonly source: CloneSource
  readonly zones: Pick<ZoneRepositories, 'open'>
  /** Each is a process. */
  readonly slots: Pick<Slots, 'takeWithin'>
}

/** Who waits longer than the last is told to come again. */
const patience = { maxWaiting: 500, maxWaitMs: 20_000 }

export const createClones = ({ source: whole, zones, slots }: Dependencies): Clones => ({
  async open({ protocol, signal }, { request, zone }) {
    const leaving = new AbortController()
    signal.addEventListener('abort', () => leaving.abort(), { once: true })
    if (signal.aborted) leaving.abort()
    const slot = await slots.takeWithin({ ...patience, signal: leaving.signal })
    if (slot === undefined)
      throw new ServiceError('Unavailable', 'too many are cloning; try again in a few seconds')
    const exchange = { protocol, signal: leaving.signal }
    const isRequest = request !== undefined
    const onEnd = () => slot[Symbol.dispose]()
    const source = zone === undefined ? whole : await take(zones.open(zone), onEnd)
    const pieces = isRequest ? source.respond(request, exchange) : source.advertise(exchange)
    const first = await take(pieces.next(), onEnd).catch((thrown: unknown) => {
      throw translated(thrown, isRequest)
    })
    return streamOf({ first, pieces, leaving, onEnd })
  },
})

/** Git says the same of a request that makes no sense and of a repository that is broken. */
function translated(thrown: unknown, isRequest: boolean): unknown {
  if (!(thrown instanceof CloneRequestError)) return thrown
  return isRequest
    ? invalid('body', 'must be a request that git upload-pack understands', thrown)
    : new ServiceError('Unavailable', 'the repository cannot be read right now', { cause: thrown })
}

interface Begun {
  readonly first: IteratorResult<Uint8Array, void>
  readonly pieces: AsyncGenerator<Uint8Array, void, undefined>
  /** Aborted where nobody reads on. */
  readonly leaving: AbortController
  /** Called when the work is over. */
  readonly onEnd: () => void
}

/** What git says, as fast as it is read. */
function streamOf({ first, pieces, leaving, onEnd }: Begun): ReadableStream<Uint8Array> {
  let next: IteratorResult<Uint8Array, void> | undefined = first
  return new ReadableStream<Uint8Array>({
    async pull(controller) {
      const { value, done } = next ?? (await take(pieces.next(), onEnd))
      next = undefined
      if (done !== true) return controller.enqueue(value)
      onEnd()
      controller.close()
    },
    async cancel() {
      leaving.abort()
      // The process that was killed fails what waits for it; nobody is left to hear of that.
      await pieces.return().catch(() => {})
      onEnd()
    },
  })
}

/** A response that breaks off fails the client's clone, as it must. */
async function take<T>(next: Promise<T>, onEnd: () => void): Promise<T> {
  try {
    return await next
  } catch (thrown) {
    onEnd()
    throw thrown
  }
}
