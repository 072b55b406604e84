import { contentDigest } from '../../../lib/bytes/checksums.ts'
import type { Log } from '../../../lib/log.ts'
import { createS3FifoCache } from '../../../lib/collections/s3-fifo-cache.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import type { OutputFormat, TransformJob } from '../../../ports/media/renderer.ts'
import type { Variant, VariantStore } from '../../../ports/media/variant-store.ts'
import type { EncodeQuota, Payer } from '../../access/quotas/encode-quota.ts'
import { fileOfName } from '../stills/still-names.ts'
import { type Cost, shareOf } from './costs/cost-model.ts'
import { createExhaustedSources } from './exhausted-sources.ts'
import { createRefusals } from './recent-refusals.ts'
import type { RenderQueue } from './render-queue.ts'
import { withSoundSource } from './sources.ts'

export interface VariantRequest {
  readonly key: string
  readonly sourceSha256: string
  /** All that it is made from: what took too long of them together says nothing of each. */
  readonly sources: string
  /** Of the result, all frames together. */
  readonly pixels: number
  readonly zone: string
  readonly notes: readonly string[]
  readonly signal?: AbortSignal | undefined
  /** Who is charged where it is made; of what is made ahead nobody. */
  readonly payer?: Payer | undefined
  /** What has to be done where there is no such variant yet. */
  readonly prepare: () => Promise<PreparedJob>
  /** For a source that looks wrong: answers whether it was, and has been put right. */
  readonly mend?: () => Promise<boolean>
}

export interface PreparedJob {
  readonly job: TransformJob
  readonly cost: Cost
}

export interface ServedVariant {
  readonly variant: Variant
  readonly from: 'memory' | 'store' | 'renderer'
  /** Whether it was made for someone else who asked at the same time. */
  readonly isShared: boolean
}

/** Variants by key: from memory, from the store, or made once for all who ask. */
export interface Variants {
  get(request: VariantRequest): Promise<ServedVariant>
  /** What is in memory, in one look-up. */
  peek(key: string): Variant | undefined
  /**
   * Makes and stores what nobody has asked for yet, while nobody waits for anything. It counts against
   * no quota. Nothing is done where it is there already.
   */
  makeAhead(request: VariantRequest): Promise<void>
  /** Puts a variant in the place of one of the same key. */
  replace(variant: Variant): Promise<void>
  /** Leaves nothing in memory; what is stored comes back. */
  clearMemory(): void
}

interface Dependencies {
  readonly store: VariantStore
  readonly queue: RenderQueue
  readonly quota: EncodeQuota
  /** Of what is erased while it is being made nothing is kept. */
  readonly isErased: (sha256: string) => boolean
  readonly log: Pick<Log, 'warn'>
  readonly now: () => number
  readonly memoryBytes: number
}

/** Whose requests come without an address. */
const nobody: Payer = { address: 'unknown', isOperator: false }

/** A variant's weight in memory besides its bytes. */
const overheadBytes = 600

export function createVariants(dependencies: Dependencies): Variants {
  const { store, queue, quota, log, memoryBytes } = dependencies
  const memory = createS3FifoCache<Variant>(memoryBytes)
  const flights = createSingleFlight<Omit<ServedVariant, 'isShared'>>()
  const unlessRefused = createGuard(dependencies.now)
  const kept = withoutErased(dependencies)

  const remember = (variant: Variant): Variant => {
    memory.set(variant.key, variant, variant.bytes.length + overheadBytes)
    return variant
  }

  async function keep(variant: Variant): Promise<Variant> {
    // A full disk costs renders, not answers.
    await kept.put(variant).catch((error: unknown) => {
      log.warn('a variant could not be kept', { key: variant.key, error })
    })
    return kept.erasedIn(variant).length === 0 ? remember(variant) : variant
  }

  async function find(request: VariantRequest, signal: AbortSignal) {
    const stored = await store.get(request.key)
    if (stored) return { variant: remember(stored), from: 'store' } as const
    const variant = await unlessRefused(request, () => make(request, signal))
    return { variant: await keep(variant), from: 'renderer' } as const
  }

  async function make(request: VariantRequest, signal: AbortSignal): Promise<Variant> {
    quota.admit(request.zone, request.payer ?? nobody)
    const first = await request.prepare()
    queue.refuseIfBusy(workOf(request, first, signal))
    const taken = await quota.take(request.zone, request.payer ?? nobody, shareOf(first.cost))
    try {
      return await renderSoundly(queue, { request, first, signal })
    } catch (error) {
      await taken.refund()
      throw error
    }
  }

  return {
    peek: (key) => memory.get(key),
    async get(request) {
      const variant = memory.get(request.key)
      if (variant) return { variant, from: 'memory', isShared: false }
      const { value, isShared } = await flights.run(flightOf(request), request.signal, (signal) =>
        find(request, signal),
      )
      return { ...value, isShared }
    },
    async makeAhead(request) {
      const { key, zone, signal } = request
      if (memory.get(key) ?? (await store.get(key))) return
      const { job, cost } = await request.prepare()
      const { result } = await queue.run({ job, cost, zone, priority: 'background', signal })
      // Somebody may have asked meanwhile; what is asked for is in memory.
      if (memory.get(key) === undefined)
        await kept.put(variantOf(request, job.output.format, result.bytes))
    },
    async replace(variant) {
      await keep(variant)
    },
    clearMemory: () => memory.clear(),
  }
}

function withoutErased({ store, isErased }: Pick<Dependencies, 'store' | 'isErased'>) {
  const erasedIn = ({ sourceSha256, overlaySha256s = [] }: Variant): readonly string[] =>
    [sourceSha256, ...overlaySha256s].filter(isErased)
  return {
    erasedIn,
    /** Looks once more afterwards: who erased it meanwhile has not found it. */
    async put(variant: Variant): Promise<void> {
      if (erasedIn(variant).length === 0) await store.put(variant)
      for (const sha256 of erasedIn(variant)) await store.removeSource(sha256)
    },
  }
}

/** What was refused a moment ago is refused again, and so is what is like it. */
function createGuard(now: () => number) {
  const refusals = createRefusals(now)
  const exhausted = createExhaustedSources(now)
  return async <T>(request: VariantRequest, work: () => Promise<T>): Promise<T> =>
    await refusals.guard(request.key, () => exhausted.guard(request, work))
}

/** The operator does not share the refusal of somebody whose quota is used up. */
const flightOf = ({ key, payer }: VariantRequest): string =>
  payer?.isOperator === true ? `${key} operator` : key

interface Making {
  readonly request: VariantRequest
  readonly first: PreparedJob
  readonly signal: AbortSignal
}

/** What it is made from may be another file the second time. */
async function renderSoundly(queue: RenderQueue, { request, first, signal }: Making) {
  let prepared: PreparedJob | undefined = first
  return await withSoundSource(request, request.sourceSha256, async () => {
    const job = prepared ?? (await request.prepare())
    prepared = undefined
    const { result } = await queue.run(workOf(request, job, signal))
    return variantOf(request, job.job.output.format, result.bytes)
  })
}

const workOf = ({ zone }: VariantRequest, { job, cost }: PreparedJob, signal: AbortSignal) =>
  ({ job, cost, zone, priority: 'interactive', signal }) as const

const variantOf = (
  { key, sourceSha256, sources, notes }: VariantRequest,
  format: OutputFormat,
  bytes: Uint8Array,
): Variant => ({
  key,
  sourceSha256,
  overlaySha256s: sources
    .split(' ')
    .map(fileOfName)
    .filter((sha256) => sha256 !== sourceSha256),
  notes,
  contentType: `image/${format}`,
  bytes,
  digest: contentDigest(bytes),
})
