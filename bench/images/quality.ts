import { basename, join } from 'node:path'
import sharp from 'sharp'

import type { Row } from '../harness.ts'
import type { Task } from './peers.ts'
import type { Bench } from './sample-images.ts'
import { ssim } from './ssim.ts'

const width = 800
const formats = ['avif', 'webp', 'jpeg'] as const

/** A resize of the whole image, with nothing lost after it. */
export const referenceOf = async (path: string, wanted: number): Promise<Uint8Array> =>
  await sharp(path, { autoOrient: true })
    .toColourspace('srgb')
    .resize({ width: wanted, withoutEnlargement: true, fastShrinkOnLoad: false })
    .png({ compressionLevel: 1 })
    .toBuffer()

/** Bytes and likeness of what is sent, image by image, beside bare libvips. */
export async function measureQuality(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const asset of bench.house.assets.values()) {
    const facts = await bench.house.media.analysed(asset, { priority: 'interactive' })
    if (facts.header.frames > 1) continue
    const reference = await referenceOf(asset.path, width)
    for (const format of formats) {
      const task: Task = { path: asset.path, width, format }
      const kind = facts.analysis?.isGraphic === true ? 'graphic' : 'photograph'
      rows.push({
        what: `${basename(asset.path)} (${kind}) → ${width} ${format}`,
        figure: await bareText(bench, task, reference),
        measured: await ownText(bench, task, reference),
      })
    }
  }
  return rows
}

async function bareText(bench: Bench, task: Task, reference: Uint8Array): Promise<string> {
  if (bench.bare === undefined) return 'not measured'
  const output = join(bench.directory, 'bare-result')
  await bench.bare.run({ ...task, output })
  return `bare libvips: ${await describe(reference, await Bun.file(output).bytes())}`
}

async function ownText({ house }: Bench, task: Task, reference: Uint8Array): Promise<string> {
  const asset = house.assets.get(task.path)
  if (asset === undefined) throw new Error(`There is no ${task.path}`)
  const { body } = await house.images.transform({
    asset,
    query: new URLSearchParams({ w: `${task.width}`, format: task.format }),
    accept: '*/*',
    savesData: false,
  })
  return await describe(reference, await new Response(body as Uint8Array<ArrayBuffer>).bytes())
}

async function describe(reference: Uint8Array, bytes: Uint8Array): Promise<string> {
  try {
    return `${bytes.length} B, SSIM ${(await ssim(reference, bytes)).toFixed(4)}`
  } catch (error) {
    return `${bytes.length} B, ${error instanceof Error ? error.message : ''}`
  }
}
