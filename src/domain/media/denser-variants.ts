import { contentDigest } from '../../lib/content-digest.ts'
import type { Log } from '../../lib/log.ts'
import type { Variant } from '../../ports/variant-store.ts'
import type { RenderQueue } from './render-queue.ts'
import type { VariantRequest, Variants } from './variants.ts'

/** Encodes what is asked for often once more, denser, while nobody waits. */
export interface DenserVariants {
  /** Tells of one use. Never waits. */
  noteUse(request: VariantRequest, variant: Variant): void
  /** Resolves once no such work is under way. For tests and a clean stop. */
  idle(): Promise<void>
}

interface Dependencies {
  readonly variants: Variants
  readonly queue: RenderQueue
  readonly log: Pick<Log, 'debug'>
}

const usesBefore = 3
const maxCounted = 20_000
const denseNote = 'dense'

export function createDenserVariants({ variants, queue, log }: Dependencies): DenserVariants {
  const usesByKey = new Map<string, number>()
  const underWay = new Set<Promise<void>>()

  async function encodeAgain(request: VariantRequest, before: Variant): Promise<void> {
    const { job, cost } = await request.prepare()
    const { result } = await queue.run({
      job: { ...job, output: { ...job.output, effort: 'dense' } },
      cost: { kind: `${cost.kind}-dense`, cpuMs: cost.cpuMs * 4 },
      zone: request.zone,
      priority: 'background',
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
    async idle() {
      while (underWay.size > 0) await Promise.all(underWay)
    },
  }
}
