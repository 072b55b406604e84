import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'

import { painted, photoPainter, quarters } from '../../test/fixtures/sample-images.ts'
import type { openHouse } from './house.ts'
import type { Peer } from './peers.ts'

export interface Bench {
  readonly directory: string
  readonly images: readonly string[]
  readonly house: Awaited<ReturnType<typeof openHouse>>
  readonly bare: Peer | undefined
  readonly ipx: Peer | undefined
}

const minSide = 200

/** Paths of images that can be read, by name. */
export async function findImages(directory: string): Promise<readonly string[]> {
  const given = process.env['SEDGE_BENCH_IMAGES']
  if (given === undefined) return await paintImages(directory)
  const found: string[] = []
  for (const name of readdirSync(given).toSorted())
    if (await isUsable(join(given, name))) found.push(join(given, name))
  return found
}

async function isUsable(path: string): Promise<boolean> {
  try {
    const { width, height, format } = await sharp(path).metadata()
    if (format === 'svg' || width < minSide || height < minSide) return false
    await sharp(path, { failOn: 'warning' }).stats()
    return true
  } catch {
    return false
  }
}

async function paintImages(directory: string): Promise<readonly string[]> {
  const paths: string[] = []
  for (let seed = 1; seed <= 24; seed += 1) {
    const shape = { width: 1600 + seed * 40, height: 1100 }
    const image = painted(shape, seed % 4 === 0 ? quarters(shape) : photoPainter(seed))
    const path = join(directory, `painted-${seed}.${seed % 3 === 0 ? 'png' : 'jpg'}`)
    await image.toFile(path)
    paths.push(path)
  }
  return paths
}
