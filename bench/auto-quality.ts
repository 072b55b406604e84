// What `q=auto` comes to: the likeness of whole results to what was asked for, and how far apart those of
// different photographs are; beside it one number for all. `SEDGE_BENCH_IMAGES` names a directory of
// photographs, else some are painted, which say little.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp from 'sharp'

import { type Luma, similarityOf } from '../src/adapters/sharp/output/similarity.ts'
import { openSharpRenderer, type SharpRenderer } from '../src/adapters/sharp/sharp-renderer.ts'
import { report, type Row } from './harness.ts'
import { findImages } from './images/sample-images.ts'

const width = 640
const mostImages = 16
const levels = { best: 0.985, good: 0.97, eco: 0.95, low: 0.92 } as const
const formats = ['jpeg', 'webp', 'avif'] as const
type Format = (typeof formats)[number]

interface Photograph {
  readonly path: string
  readonly height: number
  readonly luma: Luma
}

async function lumaOf(bytes: string | Uint8Array): Promise<Luma> {
  const { data, info } = await sharp(bytes)
    .flatten({ background: '#ffffff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, values: data }
}

/** Photographs in the size that they are compared in, without any loss before. */
async function photographs(directory: string): Promise<readonly Photograph[]> {
  const found: Photograph[] = []
  for (const original of await findImages(directory)) {
    const { pages = 1, hasAlpha, ...size } = await sharp(original).metadata()
    if (pages > 1 || hasAlpha || size.width < 1.5 * width || found.length === mostImages) continue
    const path = join(directory, `${found.length}-reference.png`)
    const { height } = await sharp(original, { autoOrient: true })
      .toColourspace('srgb')
      .resize({ width })
      .png({ compressionLevel: 1 })
      .toFile(path)
    found.push({ path, height, luma: await lumaOf(path) })
  }
  return found
}

async function reached(
  renderer: SharpRenderer,
  { path, height, luma }: Photograph,
  output: { readonly format: Format; readonly quality: number; readonly similarity?: number },
): Promise<number> {
  const size = { width, height }
  const { result } = await renderer.run({
    kind: 'transform',
    source: { path, format: 'png', size, isSrgb: true },
    isAnimated: false,
    resize: size,
    output: { effort: 'fast', isGraphic: false, ...output },
  })
  return similarityOf(luma, await lumaOf(result.bytes))
}

function rowOf(what: string, figure: string, values: readonly number[]): Row {
  const mean = values.reduce((sum, each) => sum + each, 0) / values.length
  const spread = Math.sqrt(
    values.reduce((sum, each) => sum + (each - mean) ** 2, 0) / values.length,
  )
  const range = `${Math.min(...values).toFixed(4)} to ${Math.max(...values).toFixed(4)}`
  return {
    what,
    figure,
    measured: `mean ${mean.toFixed(4)}, spread ${spread.toFixed(4)}, ${range} (${values.length} photographs)`,
  }
}

async function measure(
  renderer: SharpRenderer,
  all: readonly Photograph[],
  format: Format,
): Promise<readonly Row[]> {
  const ofAll = async (output: { readonly quality: number; readonly similarity?: number }) => {
    const values: number[] = []
    for (const each of all) values.push(await reached(renderer, each, { format, ...output }))
    return values
  }
  const rows: Row[] = []
  for (const [level, similarity] of Object.entries(levels)) {
    const values = await ofAll({ quality: 95, similarity })
    rows.push(rowOf(`${format}, q=auto:${level}`, `${similarity} ± 0.005`, values))
  }
  return [...rows, rowOf(`${format}, q=80`, 'beside it', await ofAll({ quality: 80 }))]
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-auto-'))
try {
  await using renderer = await openSharpRenderer({ directory: join(directory, 'render') })
  const all = await photographs(directory)
  const rows: Row[] = []
  for (const format of formats) rows.push(...(await measure(renderer, all, format)))
  await report('auto-quality', rows)
} finally {
  await rm(directory, { recursive: true, force: true })
}
