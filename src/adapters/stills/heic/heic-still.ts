import { readFile } from 'node:fs/promises'
import sharp, { type Sharp } from 'sharp'

import { UnrenderableImageError } from '../../../ports/media/renderer.ts'
import type { StillOutcome } from '../../../ports/media/still-maker.ts'
import { encodePng, encodeStill, maxPixels, openPixels } from '../encode-still.ts'
import type { MakeStill } from '../still-messages.ts'
import { profileIn, withProfile } from './colour-profile.ts'

/** What is used of libheif-js, which comes with types of everything else. */
interface Libheif {
  readonly HeifDecoder: new () => { decode(bytes: Uint8Array): readonly HeifImage[] }
}

interface HeifImage {
  get_width(): number
  get_height(): number
  is_primary?(): boolean
  display(
    target: { readonly data: Uint8ClampedArray; readonly width: number; readonly height: number },
    done: (shown: { readonly data: Uint8ClampedArray } | null) => void,
  ): void
}

/** It is under the LGPL, so whoever runs the service installs it. */
const packageName = 'libheif-js/wasm-bundle'
const install = 'npm install libheif-js@1.23.2'

/** The primary image of a HEIC, as it is to be seen, by libheif where that is installed. */
export const makeHeicStill: MakeStill = async ({ path, packages }) =>
  await stillOfHeic(await readFile(path), packages)

/** The same of bytes that were read. */
export async function stillOfHeic(file: Buffer, packages: string): Promise<StillOutcome> {
  const libheif = await openLibheif(packages)
  if (libheif === undefined) return { outcome: 'absent', install }
  const images = new libheif.HeifDecoder().decode(file)
  const image = images.find((each) => each.is_primary?.() === true) ?? images[0]
  if (image === undefined) throw new Error('no image')
  const [width, height] = [image.get_width(), image.get_height()]
  if (width * height > maxPixels)
    throw new UnrenderableImageError('too-many-pixels', 'must have fewer pixels')
  const { promise, resolve } = Promise.withResolvers<{ readonly data: Uint8ClampedArray } | null>()
  image.display({ data: new Uint8ClampedArray(width * height * 4), width, height }, resolve)
  const shown = await promise
  if (shown === null) throw new Error('it cannot be decoded')
  const pixels = { data: new Uint8Array(shown.data.buffer), width, height, channels: 4 } as const
  return { outcome: 'made', ...(await encodeStill(await inItsColours(openPixels(pixels), file))) }
}

/** Telephones mean Display P3 by their colours, and say so by a profile. */
async function inItsColours(image: Sharp, file: Buffer): Promise<Sharp> {
  const profile = profileIn(file)
  if (profile === undefined) return image
  return sharp(withProfile(await encodePng(image), profile), { limitInputPixels: maxPixels })
}

async function openLibheif(packages: string): Promise<Libheif | undefined> {
  const found = placeOf(packages)
  if (found === undefined) return undefined
  const { default: libheif } = (await import(found)) as { readonly default: Libheif }
  return libheif
}

function placeOf(packages: string): string | undefined {
  try {
    return Bun.resolveSync(packageName, packages)
  } catch {
    return undefined
  }
}
