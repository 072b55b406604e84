import { basename } from 'node:path'

import type { AssetRecord } from '../../src/ports/records/asset.ts'
import type { Row } from '../harness.ts'
import type { Task } from './peers.ts'
import type { Bench } from './sample-images.ts'

const requestCount = 400
const sourceCount = 24
const widths = [160, 240, 320, 480, 640, 800, 960, 1200] as const
const formatOf = (draw: number): 'avif' | 'webp' | 'jpeg' =>
  draw < 0.7 ? 'avif' : draw < 0.95 ? 'webp' : 'jpeg'
const acceptByFormat = { avif: 'image/avif,*/*', webp: 'image/webp,*/*', jpeg: 'image/jpeg' }
const seeds = [1, 2] as const

/** A stream of requests as a site sends them, through all of our caches, beside a renderer without any. */
export async function measureTraffic(bench: Bench): Promise<Row[]> {
  const sources = [...bench.house.assets.values()].slice(0, sourceCount)
  const publishMs = await analyseAll(bench, sources)
  const ratios: string[] = []
  for (const seed of seeds) ratios.push(await measureSeed(bench, sources, seed))
  return [
    {
      what: `${requestCount} requests, Zipf over ${sources.length} sources, ${widths.length} widths, 70/25/5 AVIF/WebP/JPEG`,
      figure: '≤ 0.35x of bare libvips with imgproxy settings',
      measured: `${ratios.join('; ')}; looking at the sources once, at publish, took ${publishMs.toFixed(0)} ms each`,
    },
    await measureSharing(bench, sources),
    await measureHits(bench, sources),
  ]
}

async function analyseAll({ house }: Bench, sources: readonly AssetRecord[]): Promise<number> {
  const before = house.used().cpuMs
  for (const source of sources) await house.media.analysed(source, { priority: 'background' })
  return (house.used().cpuMs - before) / sources.length
}

async function measureSeed(
  bench: Bench,
  sources: readonly AssetRecord[],
  seed: number,
): Promise<string> {
  const draw = generator(seed)
  const requests = Array.from({ length: requestCount }, () => drawRequest(sources, draw))
  let ours = 0
  let theirs = 0
  for (const { asset, task } of requests) {
    ours += await ourCpuMs(bench, asset, { ...task, quality: 80 - seed })
    if (bench.bare) theirs += (await bench.bare.run(task)).cpuMs
  }
  const each = (ours / requestCount).toFixed(1)
  if (bench.bare === undefined) return `${each} ms a request (seed ${seed})`
  const other = (theirs / requestCount).toFixed(1)
  return `${(ours / theirs).toFixed(2)}x (${each} against ${other} ms a request, seed ${seed})`
}

/** The second seed asks for another quality, so that it finds nothing made by the first. */
async function ourCpuMs(
  { house }: Bench,
  asset: AssetRecord,
  task: Task & { readonly quality: number },
): Promise<number> {
  const before = { own: process.cpuUsage(), children: house.used().cpuMs }
  await house.images.transform({
    asset,
    query: new URLSearchParams({ w: `${task.width}`, q: `${task.quality}` }),
    accept: acceptByFormat[task.format === 'png' ? 'jpeg' : task.format],
    savesData: false,
  })
  const { user, system } = process.cpuUsage(before.own)
  return house.used().cpuMs - before.children + (user + system) / 1000
}

function drawRequest(sources: readonly AssetRecord[], draw: () => number) {
  const weights = sources.map((_, rank) => 1 / (rank + 1))
  let left = draw() * weights.reduce((sum, weight) => sum + weight, 0)
  const found = sources.find((_, rank) => (left -= weights[rank] ?? 0) <= 0)
  const asset = found ?? sources[0]
  if (asset === undefined) throw new Error('There are no pictures')
  const width = widths[Math.floor(draw() * widths.length)] ?? widths[0]
  const task: Task = { path: asset.path, width, format: formatOf(draw()) }
  return { asset, task }
}

/** mulberry32: small, seeded, good enough to draw requests. */
function generator(seed: number): () => number {
  let state = seed
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

async function measureSharing({ house }: Bench, sources: readonly AssetRecord[]): Promise<Row> {
  const [asset] = sources
  if (asset === undefined) throw new Error('There are no pictures')
  const before = house.used().renders
  await Promise.all(
    Array.from({ length: 40 }, () =>
      house.images.transform({
        asset,
        query: new URLSearchParams({ w: '333' }),
        accept: 'image/avif',
        savesData: false,
      }),
    ),
  )
  const measured = `${house.used().renders - before} render`
  return { what: '40 identical requests at once', figure: '1 render', measured }
}

async function measureHits({ house }: Bench, sources: readonly AssetRecord[]): Promise<Row> {
  const [asset] = sources
  if (asset === undefined) throw new Error('There are no pictures')
  const query = new URLSearchParams({ w: '333' })
  const hit = () => house.images.transform({ asset, query, accept: 'image/avif', savesData: false })
  for (let turn = 0; turn < 20_000; turn += 1) await hit()
  const before = process.cpuUsage()
  const count = 100_000
  for (let turn = 0; turn < count; turn += 1) await hit()
  const { user, system } = process.cpuUsage(before)
  return {
    what: `a variant of ${basename(asset.path)} from memory`,
    figure: '≥ 0.8x the edge’s static rate (about 10 µs of CPU a request)',
    measured: `${((user + system) / count).toFixed(1)} µs of CPU before the edge`,
  }
}
