import { contentDigest } from '../../../lib/bytes/checksums.ts'
import type { Calm } from '../../../lib/async/calm.ts'
import type { Log } from '../../../lib/log.ts'
import type { Variant } from '../../../ports/media/variant-store.ts'
import type { RenderQueue } from './render-queue.ts'
import type { VariantRequest, Variants } from './variants.ts'

/** Encodes what is asked for often once more, denser, while nobody waits. */
export interface ReEncodedVariants {
  /** Tells of one use. Never waits. */
  noteUse(request: VariantRequest, variant: Variant): void
  /** Resolves once no such work is under way. For tests. */
  idle(): Promise<void>
  /** Gives up what has not begun, and resolves once nothing is under way. */
  stop(): Promise<void>
}

interface Dependencies {
  readonly variants: Variants
  readonly queue: RenderQueue
  readonly log: Pick<Log, 'debug'>
  /** Waited for before anything is encoded; where left out, nothing is. */
  readonly calm?: Pick<Calm, 'reached'> | undefined
}

const usesBefore = 3
const maxCounted = 20_000
const denseNote = 'dense'

export function createReEncodedVariants({
  variants,
  queue,
  log,
  calm,
}: Dependencies): ReEncodedVariants {
  const usesByKey = new Map<string, number>()
  const underWay = new Set<Promise<void>>()
  const stopping = new AbortController()

  async function encodeAgain(request: VariantRequest, before: Variant): Promise<void> {
    await calm?.reached(stopping.signal)
    const { job, cost } = await request.prepare()
    const { result } = await queue.run({
      job: { ...job, output: { ...job.output, effort: 'dense' } },
      cost: { kind: `${cost.kind}-dense`, cpuMs: cost.cpuMs * 4 },
      zone: request.zone,
      priority: 'background',
      signal: stopping.signal,
    })
    if (result.bytes.length >= before.bytes.length) return
    await variants.replace({
      ...before,
      bytes: result.bytes,
      digest: contentDigest(result.bytes),
      notes: [...before.notes, denseNote],
    })
  }

  function start(request: VariantRequest, variant: Variant): void {
    const { key } = variant
    const work = encodeAgain(request, variant).catch((error: unknown) =>
      log.debug('a variant could not be encoded again', { key, error }),
    )
    underWay.add(work)
    void work.then(() => underWay.delete(work))
  }

  async function idle(): Promise<void> {
    while (underWay.size > 0) await Promise.all(underWay)
  }

  return {
    noteUse(request, variant) {
      if (variant.notes.includes(denseNote)) return
      const uses = (usesByKey.get(variant.key) ?? 0) + 1
      if (uses > usesBefore) return
      usesByKey.delete(variant.key)
      usesByKey.set(variant.key, uses)
      if (uses === usesBefore) start(request, variant)
      const [oldest] = usesByKey.keys()
      if (usesByKey.size > maxCounted && oldest !== undefined) usesByKey.delete(oldest)
    },
    idle,
    async stop() {
      stopping.abort(new Error('The service ends'))
      await idle()
    },
  }
}
