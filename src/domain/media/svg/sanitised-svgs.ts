import { contentDigest } from '../../../lib/bytes/checksums.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import type { Variant, VariantStore } from '../../../ports/media/variant-store.ts'
import type { ImageRecord } from '../facts/inspection.ts'
import { createRefusals } from '../render/recent-refusals.ts'
import type { RenderQueue } from '../render/render-queue.ts'
import { requireRenderable, type Sources, sourcePath, withSoundSource } from '../render/sources.ts'

/** SVG files without anything that acts; the stored bytes stay as they are. */
export interface SanitisedSvgs {
  /** Throws `UnprocessableImage` for what is no SVG, or more than one may be. */
  get(drawing: ImageRecord, signal?: AbortSignal): Promise<Variant>
}

interface Dependencies extends Sources {
  readonly queue: RenderQueue
  readonly store: VariantStore
  /** Milliseconds that only grow. */
  readonly now: () => number
}

/** Raised when the same file would come out otherwise. */
const sanitiserVersion = 1

export function createSanitisedSvgs(dependencies: Dependencies): SanitisedSvgs {
  const { queue, store } = dependencies
  const flights = createSingleFlight<Variant>()
  const refusals = createRefusals(dependencies.now)

  async function sanitise(drawing: ImageRecord, signal: AbortSignal): Promise<Variant> {
    const key = keyOf(drawing.sha256)
    const stored = await store.get(key)
    if (stored) return stored
    requireRenderable(drawing)
    const { result: bytes } = await withSoundSource(dependencies, drawing.sha256, async () =>
      queue.run({
        job: { kind: 'sanitise', path: await sourcePath(dependencies, drawing) },
        zone: drawing.zone,
        cost: { kind: 'sanitise', cpuMs: 5 },
        priority: 'interactive',
        signal,
      }),
    )
    const digest = contentDigest(bytes)
    const contentType = 'image/svg+xml'
    const variant = { key, sourceSha256: drawing.sha256, contentType, bytes, digest, notes: [] }
    await store.put(variant)
    return variant
  }

  return {
    async get(drawing, signal) {
      const flight = await flights.run(drawing.sha256, signal, (shared) =>
        refusals.guard(drawing.sha256, () => sanitise(drawing, shared)),
      )
      return flight.value
    },
  }
}

const keyOf = (sha256: string): string =>
  new Bun.CryptoHasher('sha256').update(`sanitised|${sanitiserVersion}|${sha256}`).digest('hex')
