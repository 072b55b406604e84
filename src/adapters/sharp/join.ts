import sharp from 'sharp'

import { type JoinJob, type Size, UnrenderableImageError } from '../../ports/media/renderer.ts'
import { allowOnly, rasterOptions, readBytes } from './open-source.ts'

const channels = 3
const webp = { quality: 65, effort: 2 } as const

/** Decodes one after another, so that no more than one is there in its own size. */
export async function join({ path, format, lengths, tile, layout }: JoinJob): Promise<Uint8Array> {
  allowOnly(format)
  const bytes = await readBytes(path)
  const tiles: Uint8Array[] = []
  let offset = 0
  for (const length of lengths) {
    tiles.push(await tileOf(bytes.subarray(offset, offset + length), tile))
    offset += length
  }
  return 'columns' in layout
    ? await sprite(tiles, tile, layout.columns)
    : await animation(tiles, tile, layout.delayMs)
}

/** Every image of a video is of one size: another one was not said. */
async function tileOf(image: Uint8Array, { width, height }: Size): Promise<Uint8Array> {
  const { data, info } = await sharp(image, rasterOptions)
    .resize({ width, height, fit: 'fill' })
    .toColourspace('srgb')
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  if (info.channels !== channels)
    throw new UnrenderableImageError('unsupported-type', 'must have colours')
  return data
}

async function sprite(tiles: readonly Uint8Array[], tile: Size, columns: number) {
  const across = Math.min(columns, tiles.length)
  const width = across * tile.width
  const height = Math.ceil(tiles.length / across) * tile.height
  const canvas = new Uint8Array(width * height * channels)
  const rowBytes = tile.width * channels
  for (const [place, pixels] of tiles.entries()) {
    const left = (place % across) * rowBytes
    const top = Math.floor(place / across) * tile.height
    for (let row = 0; row < tile.height; row += 1)
      canvas.set(
        pixels.subarray(row * rowBytes, (row + 1) * rowBytes),
        (top + row) * width * channels + left,
      )
  }
  return await sharp(canvas, { raw: { width, height, channels } }).webp(webp).toBuffer()
}

async function animation(tiles: readonly Uint8Array[], { width, height }: Size, delayMs: number) {
  const raw = { width, height: height * tiles.length, channels, pageHeight: height } as const
  return await sharp(Buffer.concat(tiles), { raw })
    .webp({ ...webp, loop: 0, delay: tiles.map(() => delayMs) })
    .toBuffer()
}
