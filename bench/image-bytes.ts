// How many bytes a photograph takes for how much likeness: first answers while nobody waits and what the dense
// pass makes, beside sharp's defaults, at equal structural similarity; and what it takes to look at one at
// upload. `SEDGE_BENCH_IMAGES` names a directory of photographs, else some are painted, which say little.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import sharp, { type Sharp } from 'sharp'

import { chooseMip, transformJobOf } from '../src/domain/media/recipe/plan/job-of-plan.ts'
import { parseAccept } from '../src/domain/media/recipe/accepted-formats.ts'
import { parseRecipe } from '../src/domain/media/recipe/recipe.ts'
import { planTransform } from '../src/domain/media/recipe/plan/transform-plan.ts'
import type { MediaFacts } from '../src/ports/media/media-facts-store.ts'
import type { EncoderEffort } from '../src/ports/media/renderer.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'
import { median, report, type Row } from './harness.ts'
import { openHouse } from './images/house.ts'
import { findImages } from './images/sample-images.ts'
import { ssim } from './images/ssim.ts'

const width = 640
const qualities = [40, 50, 60, 70, 80, 88, 94]
const likenesses = [0.95, 0.96, 0.97, 0.98, 0.985]
const mostImages = 8
const looks = 3

type Format = 'jpeg' | 'webp' | 'avif'
const figures: Readonly<Record<Format, Readonly<Record<Exclude<EncoderEffort, 'fast'>, string>>>> =
  {
    jpeg: { usual: '≤ 1.05x', dense: '≤ 0.95x' },
    webp: { usual: '≤ 1.08x', dense: '≤ 0.95x' },
    avif: { usual: '≤ 1.15x', dense: '≤ 1.0x' },
  }
const defaults: Readonly<Record<Format, (image: Sharp, quality: number) => Sharp>> = {
  jpeg: (image, quality) => image.jpeg({ quality }),
  webp: (image, quality) => image.webp({ quality }),
  // Its default quality is 50 where that of the others is 80.
  avif: (image, quality) => image.avif({ quality: Math.round(quality * 0.65) }),
}

/** Likeness and the logarithm of bytes, for each quality. */
type Curve = readonly (readonly [likeness: number, logBytes: number])[]

interface Photograph {
  readonly asset: AssetRecord
  readonly facts: MediaFacts
  readonly reference: Uint8Array
  readonly height: number
}

type House = Awaited<ReturnType<typeof openHouse>>

async function photographs(house: House): Promise<readonly Photograph[]> {
  const found: Photograph[] = []
  for (const asset of house.assets.values()) {
    const facts = await house.media.analysed(asset, { priority: 'interactive' })
    const { header, analysis } = facts
    if (header.frames > 1 || analysis?.isGraphic !== false || header.width < 2 * width) continue
    const height = Math.round((header.height / header.width) * width)
    const reference = await sharp(asset.path, { autoOrient: true })
      .toColourspace('srgb')
      .resize({ width, height, fit: 'fill', fastShrinkOnLoad: false })
      .png({ compressionLevel: 1 })
      .toBuffer()
    found.push({ asset, facts, reference, height })
    if (found.length === mostImages) break
  }
  return found
}

async function curveOf(
  reference: Uint8Array,
  encode: (quality: number) => Promise<Uint8Array>,
): Promise<Curve> {
  const points: [number, number][] = []
  for (const quality of qualities) {
    const bytes = await encode(quality)
    points.push([await ssim(reference, bytes), Math.log(bytes.length)])
  }
  return points.toSorted(([a], [b]) => a - b)
}

function bytesAt(curve: Curve, likeness: number): number | undefined {
  for (const [index, [to, toBytes]] of curve.entries()) {
    const [from, fromBytes] = curve[index - 1] ?? [Infinity, 0]
    if (from <= likeness && to >= likeness)
      return fromBytes + ((likeness - from) / (to - from)) * (toBytes - fromBytes)
  }
  return undefined
}

/** By how much the first is larger at each likeness that both have. */
const differences = (curve: Curve, other: Curve): readonly number[] =>
  likenesses.flatMap((likeness) => {
    const [mine, its] = [bytesAt(curve, likeness), bytesAt(other, likeness)]
    return mine === undefined || its === undefined ? [] : [mine - its]
  })

const bare = ({ asset, height }: Photograph, format: Format, quality: number) =>
  defaults[format](
    sharp(asset.path, { autoOrient: true }).resize({ width, height, fit: 'fill' }),
    quality,
  ).toBuffer()

async function ours(
  house: House,
  { asset, facts, height }: Photograph,
  wish: { readonly format: Format; readonly quality: number; readonly effort: EncoderEffort },
): Promise<Uint8Array> {
  const { format, quality, effort } = wish
  const query = { w: `${width}`, h: `${height}`, fit: 'fill', format, q: `${quality}` }
  const { plan } = planTransform(
    { ...facts, focalPoint: undefined },
    {
      recipe: parseRecipe(new URLSearchParams(query)),
      accepted: parseAccept('*/*'),
      savesData: false,
    },
  )
  const mip = chooseMip(plan, facts)
  const path = (mip && (await house.copies.path(mip, facts.sha256))) ?? asset.path
  const job = transformJobOf(plan, facts, { path, mip })
  const { result } = await house.renderer.run({ ...job, output: { ...job.output, effort } })
  return result.bytes
}

async function measureFormat(
  house: House,
  all: readonly Photograph[],
  format: Format,
): Promise<Row[]> {
  const logs: Record<'usual' | 'dense', number[]> = { usual: [], dense: [] }
  for (const photograph of all) {
    const { reference } = photograph
    const peer = await curveOf(reference, (quality) => bare(photograph, format, quality))
    for (const effort of ['usual', 'dense'] as const) {
      const curve = await curveOf(reference, (quality) =>
        ours(house, photograph, { format, quality, effort }),
      )
      logs[effort].push(...differences(curve, peer))
    }
  }
  return (['usual', 'dense'] as const).map((effort) => ({
    what: `${format}, ${effort === 'usual' ? 'first answer while nobody waits' : 'after the dense pass'}`,
    figure: `${figures[format][effort]} of sharp's default`,
    measured: `${Math.exp(logs[effort].reduce((sum, each) => sum + each, 0) / logs[effort].length).toFixed(3)}x (${all.length} photographs to ${width} px, SSIM ${likenesses[0]} to ${likenesses.at(-1)})`,
  }))
}

async function measureLooks(house: House, all: readonly Photograph[]): Promise<Row> {
  const ms: number[] = []
  for (const { asset, facts } of all)
    for (let look = 0; look < looks; look += 1) {
      const source = { path: asset.path, size: facts.header, ...facts.header }
      const job = { kind: 'analyse', source, mipWidths: [1280, 512], findFaces: true } as const
      ms.push((await house.renderer.run(job)).cpuMs)
    }
  return {
    what: 'what is found out about a photograph at upload',
    figure: '≤ 200 ms of a processor at 1920 px',
    measured: `${median(ms).toFixed(0)} ms, at most ${Math.max(...ms).toFixed(0)} ms`,
  }
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-bytes-'))
try {
  await using house = await openHouse(directory, await findImages(directory))
  const all = await photographs(house)
  const rows: Row[] = []
  for (const format of ['jpeg', 'webp', 'avif'] as const)
    rows.push(...(await measureFormat(house, all, format)))
  await report('image-bytes', [...rows, await measureLooks(house, all)])
} finally {
  await rm(directory, { recursive: true, force: true })
}
