import { ServiceError } from '../../domain/errors.ts'
import { inspectCost } from '../../domain/media/render/costs/cost-model.ts'
import type { RenderQueue } from '../../domain/media/render/render-queue.ts'
import type { BlobStore } from '../../ports/content/blob-store.ts'

/** One grey pixel. */
const pixelPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='
const pngSignature = '89504e470d0a1a0a'

interface Parts {
  readonly queue: RenderQueue
  readonly blobs: Pick<BlobStore, 'receive' | 'path'>
}

/** Whoever waits longer than this waits behind others. */
const patienceMs = 4_000

/**
 * Stores an image and has it rendered from where it is stored, by the process that draws all others, in
 * its turn. Where that is busy with others it works.
 */
export async function probeImages(parts: Parts): Promise<void> {
  const { promise: isLong, resolve } = Promise.withResolvers<'busy'>()
  const timer = setTimeout(() => resolve('busy'), patienceMs)
  const outcome = await Promise.race([drawPixel(parts).catch(busyOr), isLong])
  clearTimeout(timer)
  if (outcome === 'busy' && parts.queue.state.running === 0)
    throw new Error('nothing is drawn although nothing else is')
}

async function drawPixel({ queue, blobs }: Parts): Promise<void> {
  await using incoming = await blobs.receive(Uint8Array.fromBase64(pixelPng))
  await incoming.keep()
  const path = await blobs.path?.(incoming.sha256)
  if (path === undefined) throw new Error('what was stored a moment ago is not there')
  const size = { width: 1, height: 1 }
  const { result } = await queue.run({
    job: {
      kind: 'transform',
      source: { path, format: 'png', size, frames: 1, hasAlpha: false, isSrgb: false },
      isAnimated: false,
      resize: size,
      output: { format: 'png', quality: 80, effort: 'fast', isGraphic: true },
    },
    zone: '',
    cost: inspectCost,
    priority: 'interactive',
  })
  const signature = Buffer.from(result.bytes.subarray(0, pngSignature.length / 2)).toString('hex')
  if (result.width !== 1 || result.height !== 1 || signature !== pngSignature)
    throw new Error('one pixel became something else')
}

/** Turned away because others are being served. */
function busyOr(error: unknown): 'busy' {
  if (error instanceof ServiceError && error.code === 'Unavailable') return 'busy'
  throw error
}
