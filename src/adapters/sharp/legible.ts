import sharp from 'sharp'

import type { LegibleJob, Size } from '../../ports/media/renderer.ts'
import { type RawImage, rawImage } from './analysis/raw-image.ts'
import { openSource } from './open-source.ts'

/** On more pixels reading takes longer and finds hardly more. */
const maxSide = 1600
/** Small letters are read better when they are drawn larger. */
const maxEnlargement = 2

/** Grey and opaque, so that light and dark writing on a transparent ground both stand out. */
export async function legible({ source }: LegibleJob): Promise<Uint8Array> {
  const target = legibleSize(source.size)
  const image = await openSource(source, { isAnimated: false, target })
  const { width, height } = target
  const raw = await rawImage(
    image.toColourspace('srgb').resize({ width, height, fit: 'fill' }).ensureAlpha(),
  )
  const { pixels, channels } = raw
  return await sharp(pixels, { raw: { width, height, channels } })
    .flatten({ background: isLight(raw) ? 'black' : 'white' })
    .toColourspace('b-w')
    .png({ compressionLevel: 1 })
    .toBuffer()
}

function legibleSize({ width, height }: Size): Size {
  const scale = Math.min(maxEnlargement, maxSide / Math.max(width, height))
  return {
    width: Math.max(1, Math.round(width * scale)),
    height: Math.max(1, Math.round(height * scale)),
  }
}

/** Whether what can be seen is light on the whole. */
function isLight({ pixels }: RawImage): boolean {
  let sum = 0
  let weight = 0
  for (let place = 0; place + 3 < pixels.length; place += 4) {
    const part = (offset: number): number => pixels[place + offset] ?? 0
    sum += part(3) * (0.3 * part(0) + 0.6 * part(1) + 0.1 * part(2))
    weight += part(3)
  }
  return sum > weight * 128
}
