import { join } from 'node:path'

import { inspectCost } from '../domain/media/cost-model.ts'
import type { RenderQueue } from '../domain/media/render-queue.ts'

/** One grey pixel. */
const pixelPng =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNoAAAAggCBd81ytgAAAABJRU5ErkJggg=='

/** Has a picture looked at where pictures are worked on, in its turn. */
export async function probePictures(queue: RenderQueue, directory: string): Promise<void> {
  const path = join(directory, 'health-check.png')
  await Bun.write(path, Uint8Array.fromBase64(pixelPng))
  const { result } = await queue.run({
    job: { kind: 'inspect', path, format: 'png' },
    zone: '',
    cost: inspectCost,
    priority: 'interactive',
  })
  if (result.width !== 1 || result.height !== 1) throw new Error('one pixel was taken for more')
}
