import { readFile } from 'node:fs/promises'
import { initSync, JxlImage } from 'jxl-oxide-wasm'
import sharp from 'sharp'

import { packageFile } from '../../../lib/files/program-files.ts'
import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import { encodeStill } from '../encode-still.ts'
import type { MakeStill } from '../still-messages.ts'

/** It is decoded into numbers of 32 bits, and more than once. */
const maxJxlPixels = 24_000_000

/** The first frame of a JPEG XL, by jxl-oxide. */
export const makeJxlStill: MakeStill = async ({ path }) => {
  const wasm = packageFile('jxl-oxide-wasm/module.wasm')
  initSync({ module: await readFile(wasm) })
  const image = new JxlImage()
  image.forceSrgb = true
  image.feedBytes(await readFile(path))
  if (!image.tryInit()) throw new Error('no header')
  const { width = 0, height = 0 } = image
  if (width * height > maxJxlPixels)
    throw new UnrenderableImageError('too-many-pixels', 'must have fewer pixels')
  const still = await encodeStill(sharp(image.render().encodeToPng()))
  return { outcome: 'made', ...still }
}
