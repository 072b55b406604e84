import type { Calm } from '../../../lib/async/calm.ts'
import type { Log } from '../../../lib/log.ts'
import { parseAccept } from '../recipe/accepted-formats.ts'
import type { RenderQueue } from './render-queue.ts'
import type { TransformOptions } from '../recipe/plan/output-plan.ts'
import type { VariantRequest, Variants } from './variants.ts'

/** Encodes what one client was sent for the clients that take other formats, while nobody waits. */
export interface PreRenderedVariants {
  /** Tells of a variant that had to be made, and of those others would get. Never waits. */
  noteMiss(made: VariantRequest, others: readonly VariantRequest[]): void
  /** Begins nothing any more, and resolves once no such work is under way. */
  stop(): Promise<void>
}

interface Dependencies {
  readonly variants: Pick<Variants, 'makeAhead'>
  readonly queue: Pick<RenderQueue, 'state'>
  readonly log: Pick<Log, 'debug'>
  /** Waited for before anything is made; where left out, nothing is. */
  readonly calm?: Pick<Calm, 'reached'> | undefined
}

/** Where misses come faster than cores are idle, work ahead would never catch up. */
const maxWaiting = 100

/** What the kinds of clients that there are send as `Accept`. */
const usualClients = ['image/avif,image/webp,*/*', 'image/webp,*/*', '*/*'].map(parseAccept)

/** What each kind of client would have asked for; nothing where the format does not follow from that. */
export const optionsOfOthers = (options: TransformOptions): readonly TransformOptions[] =>
  options.recipe.format === 'auto' && options.chosenFormat === undefined
    ? usualClients.map((accepted) => ({ ...options, accepted }))
    : []

export function createPreRenderedVariants({
  variants,
  queue,
  log,
  calm,
}: Dependencies): PreRenderedVariants {
  const underWay = new Map<string, Promise<void>>()
  const stopping = new AbortController()

  async function make(request: VariantRequest): Promise<void> {
    const { signal } = stopping
    await calm?.reached(signal)
    await variants.makeAhead({ ...request, signal })
  }

  function start(request: VariantRequest): void {
    const { key } = request
    const work = make(request)
      .catch((error: unknown) => log.debug('a variant could not be made ahead', { key, error }))
      .finally(() => underWay.delete(key))
    underWay.set(key, work)
  }

  return {
    noteMiss(made, others) {
      for (const request of others) {
        const isKnown = request.key === made.key || underWay.has(request.key)
        const isTooMuch = queue.state.queuedInBackground >= maxWaiting || stopping.signal.aborted
        if (!isKnown && !isTooMuch) start(request)
      }
    },
    async stop() {
      stopping.abort(new Error('The service ends'))
      await Promise.all(underWay.values())
    },
  }
}
