/**
 * How soon the first byte of a range from the middle of a large video comes from an edge elsewhere,
 * against the service that has the file: of a part that the edge has to fetch first, and of one that it
 * has. And how far the memory of both rises while the whole of it goes out. All run on this machine, and
 * connections are kept alive: a real network adds one round trip to what the edge has to fetch.
 */
import { join } from 'node:path'

import { edgeTokenOf, startEdge } from '../test/support/edge-process.ts'
import { createZone, makeLargeVideo, uploadLarge } from '../test/support/large-video.ts'
import { startService, temporaryDirectory } from '../test/support/service-process.ts'
import { until } from '../test/support/until.ts'
import { asInProduction, compare, type Contender, report, type Row } from './harness.ts'
import { peakGrowth } from './process-usage.ts'

const minBytes = Number(process.env['LARGE_FILE_MB'] ?? 2_048) * 2 ** 20
const rounds = Number(process.env['ROUNDS'] ?? 41)
const path = 'bench/v1/films/film.mp4'
const rangeBytes = 64 * 1024
/** No two rounds may ask for the same part, nor for one that was fetched ahead. */
const strideBytes = 8 * 2 ** 20
const settleMs = 60

await using directory = await temporaryDirectory()
const video = await makeLargeVideo(directory.path, minBytes)
await using service = await startService({
  dataDirectory: join(directory.path, 'origin'),
  environment: { MAX_STAGED_GB: '20', ...asInProduction },
})
await createZone(service.url, 'bench')
await uploadLarge(service.url, path, video.file)
await using edge = await startEdge({
  origin: service.url,
  token: await edgeTokenOf(service.url),
  name: 'bench',
  directory: join(directory.path, 'edge'),
  environment: asInProduction,
})
await until(async () => (await fetch(`${edge.url}/${path}`, { method: 'HEAD' })).status === 200)

async function firstByteMs(base: string, start: number): Promise<number> {
  // What the edge goes on fetching for the one before must not slow whoever is next.
  await Bun.sleep(settleMs)
  const before = performance.now()
  const response = await fetch(`${base}/${path}`, {
    headers: { Range: `bytes=${start}-${start + rangeBytes - 1}` },
  })
  const reader = response.body?.getReader()
  await reader?.read()
  const milliseconds = performance.now() - before
  while ((await reader?.read())?.done === false);
  if (response.status !== 206) throw new Error(`a range answered ${response.status}`)
  return milliseconds
}

const places = Math.floor((video.sizeBytes * 0.8) / strideBytes)
const placeOf = (round: number): number =>
  Math.floor(video.sizeBytes * 0.1) + ((round * 37) % places) * strideBytes

const atService: Contender = {
  name: 'the service itself',
  run: (round) => firstByteMs(service.url, placeOf(round)),
}
const rows: Row[] = []
const kinds = [
  { kind: 'fetched for it', startOf: placeOf },
  { kind: 'there already', startOf: (round: number) => placeOf(round) + rangeBytes },
] as const
for (const { kind, startOf } of kinds) {
  const ours: Contender = {
    name: 'the edge',
    run: (round) => firstByteMs(edge.url, startOf(round)),
  }
  const ratios = await compare({
    title: `first byte of a range from the middle, ${kind} (ms)`,
    ours,
    peers: [atService],
    rounds: Math.min(rounds, places),
  })
  rows.push({
    what: `first byte of a range from the middle of ${inGb(video.sizeBytes)} at an edge, ${kind}, against the service itself`,
    figure: '≤ 3x',
    measured: `${ratios.get(atService.name)?.toFixed(2)}x`,
  })
}
for (const [name, pid, base] of [
  ['the service', service.pid, service.url],
  ['the edge', edge.pid, edge.url],
] as const) {
  const growth = await peakGrowth(pid, async () => {
    const response = await fetch(`${base}/${path}`)
    for await (const _piece of response.body ?? []);
  })
  rows.push({
    what: `growth of the memory of ${name} while the whole of it goes out`,
    figure: 'flat',
    measured: `${(growth / 2 ** 20).toFixed(1)} MB`,
  })
}
await report('large-range', rows)

function inGb(bytes: number): string {
  return `${(bytes / 1e9).toFixed(1)} GB`
}
