import { join } from 'node:path'

import { parseAccept } from '../../src/domain/media/recipe/accepted-formats.ts'
import { parseRecipe } from '../../src/domain/media/recipe/recipe.ts'
import { chooseMip, transformJobOf } from '../../src/domain/media/recipe/plan/job-of-plan.ts'
import { planTransform } from '../../src/domain/media/recipe/plan/transform-plan.ts'
import type { MediaFacts } from '../../src/ports/media/media-facts-store.ts'
import type { AssetRecord } from '../../src/ports/records/asset.ts'
import type { SourceFormat } from '../../src/ports/media/renderer.ts'
import { compare, type Contender, type Row } from '../harness.ts'
import type { Task } from './peers.ts'
import type { Bench } from './sample-images.ts'
import { referenceOf } from './quality.ts'
import { ssim } from './ssim.ts'

interface Cell {
  readonly from: SourceFormat
  /** Megapixels of the source that is looked for. */
  readonly near: number
  readonly format: Task['format']
  readonly width: number
  readonly figure: string
}

const cells: readonly Cell[] = [
  cellOf('jpeg 2.7', 'avif 512', '≤ 0.5x of bare libvips, ≤ 0.2x of ipx'),
  cellOf('jpeg 2.7', 'webp 512', '≤ 0.7x of bare libvips'),
  cellOf('jpeg 2.7', 'jpeg 512', '≤ 1.0x of bare libvips'),
  cellOf('jpeg 12', 'avif 400', '≤ 0.5x of bare libvips, ≤ 0.2x of ipx'),
  cellOf('jpeg 12', 'webp 400', '≤ 0.7x of bare libvips'),
  cellOf('jpeg 12', 'jpeg 400', '≤ 1.0x of bare libvips'),
  cellOf('jpeg 12', 'avif 960', '≤ 0.5x of bare libvips, ≤ 0.2x of ipx'),
  cellOf('png 2.7', 'png 512', '≤ 1.05x of bare libvips'),
  cellOf('png 2.7', 'avif 512', '≤ 0.2x of ipx'),
  cellOf('avif 2.7', 'avif 512', '≤ 1.0x of bare libvips'),
]

/** `source` is a format and about how many megapixels, `result` a format and a width. */
function cellOf(source: string, result: string, figure: string): Cell {
  const [from, near] = source.split(' ')
  const [format, width] = result.split(' ')
  return {
    from: from as SourceFormat,
    near: Number(near),
    format: format as Task['format'],
    width: Number(width),
    figure,
  }
}

const rounds = 7
const operationsPerRound = 3

/** Our cost as a part of each peer's, image and format by image and format. */
export async function measureCells(bench: Bench): Promise<Row[]> {
  const rows: Row[] = []
  for (const cell of cells) {
    const source = await sourceOf(bench, cell)
    if (source) rows.push(...(await measureCell(bench, { cell, source })))
  }
  return rows
}

interface Source {
  readonly asset: AssetRecord
  readonly facts: MediaFacts
}

async function sourceOf({ house }: Bench, { from, near }: Cell): Promise<Source | undefined> {
  const sources: (Source & { readonly distance: number })[] = []
  for (const asset of house.assets.values()) {
    const facts = await house.media.find(asset)
    const { format, isProgressive, frames, width, height } = facts.header
    if (format !== from || isProgressive || frames > 1) continue
    sources.push({ asset, facts, distance: Math.abs((width * height) / 1e6 - near) })
  }
  const [nearest] = sources.toSorted((a, b) => a.distance - b.distance)
  if (nearest === undefined) return undefined
  const facts = await house.media.analysed(nearest.asset, { priority: 'interactive' })
  return { ...nearest, facts }
}

async function measureCell(
  bench: Bench,
  { cell, source }: { readonly cell: Cell; readonly source: Source },
): Promise<Row[]> {
  const { format, width } = cell
  const { asset, facts } = source
  const task: Task = { path: asset.path, width, format }
  const own = await ourRun(bench, { source, task, usesMip: false })
  const withMip = await ourRun(bench, { source, task, usesMip: true })
  if (own === undefined) return []
  const peers = [bench.bare, bench.ipx].filter((peer) => peer !== undefined)
  const contenders: Contender[] = peers.map((peer) => ({
    name: peer.name,
    run: () => averageOf(() => peer.run(task)),
  }))
  if (withMip) contenders.push({ name: 'ours, from a smaller copy', run: () => averageOf(withMip) })
  const title = `${asset.name} ${facts.header.width}x${facts.header.height} → ${width} ${format} (CPU ms)`
  const ratios = await compare({
    title,
    ours: { name: 'ours', run: () => averageOf(own) },
    peers: contenders,
    rounds,
  })
  return [
    {
      what: title,
      figure: cell.figure,
      measured: `${ratiosText(ratios)}; ${await qualityText(bench, { task, own, withMip })}`,
    },
  ]
}

const ratiosText = (ratios: ReadonlyMap<string, number>): string =>
  [...ratios]
    .filter(([name]) => name !== 'ours')
    .map(([name, ratio]) =>
      name.startsWith('ours')
        ? `from a smaller copy ${(1 / ratio).toFixed(2)}x of that`
        : `${ratio.toFixed(2)}x of ${name}`,
    )
    .join(', ')

async function averageOf(run: () => Promise<{ readonly cpuMs: number }>): Promise<number> {
  let sum = 0
  for (let turn = 0; turn < operationsPerRound; turn += 1) sum += (await run()).cpuMs
  return sum / operationsPerRound
}

type Run = () => Promise<{ readonly cpuMs: number; readonly bytes: Uint8Array }>

/** The child's CPU time and ours for handing over, without any cache. */
async function ourRun(
  { house, directory }: Bench,
  wish: { readonly source: Source; readonly task: Task; readonly usesMip: boolean },
): Promise<Run | undefined> {
  const { asset, facts } = wish.source
  const recipe = parseRecipe(
    new URLSearchParams({ w: `${wish.task.width}`, format: wish.task.format }),
  )
  const { plan } = planTransform(
    { ...facts, focalPoint: undefined },
    { recipe, accepted: parseAccept('*/*'), savesData: false },
  )
  const mip = wish.usesMip ? chooseMip(plan, facts) : undefined
  if (wish.usesMip && mip === undefined) return undefined
  const path = mip ? join(directory, 'mips', await mipFile(directory, mip.key)) : asset.path
  const job = transformJobOf(plan, facts, { path, mip })
  return async () => {
    const before = process.cpuUsage()
    const { result, cpuMs } = await house.renderer.run(job)
    const { user, system } = process.cpuUsage(before)
    return { cpuMs: cpuMs + (user + system) / 1000, bytes: result.bytes }
  }
}

async function mipFile(directory: string, key: string): Promise<string> {
  const glob = new Bun.Glob(`*/${key}.*`)
  for await (const file of glob.scan(join(directory, 'mips'))) return file
  throw new Error(`There is no copy ${key}`)
}

interface Compared {
  readonly task: Task
  readonly own: Run | undefined
  readonly withMip: Run | undefined
}

/** Bytes, and likeness to a resize without any loss. */
async function qualityText(bench: Bench, { task, own, withMip }: Compared): Promise<string> {
  const reference = await referenceOf(task.path, task.width)
  const parts: string[] = []
  const output = join(bench.directory, 'bare-result')
  if (bench.bare) {
    const { sizeBytes } = await bench.bare.run({ ...task, output })
    parts.push(`bare ${sizeBytes} B ${await likeness(reference, await Bun.file(output).bytes())}`)
  }
  for (const [name, run] of [
    ['ours', own],
    ['smaller copy', withMip],
  ] as const) {
    if (run === undefined) continue
    const { bytes } = await run()
    parts.push(`${name} ${bytes.length} B ${await likeness(reference, bytes)}`)
  }
  return parts.join(', ')
}

const likeness = async (reference: Uint8Array, bytes: Uint8Array): Promise<string> =>
  (await ssim(reference, bytes)).toFixed(4)
