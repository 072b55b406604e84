import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { Part } from '../src/domain/streaming/segments/assemble.ts'
import { indexMedia } from '../src/domain/streaming/index/index-media.ts'
import { type Contender, compare, median, report, type Row } from './harness.ts'
import { openMediabunny } from './mediabunny.ts'
import { videoPath, openVideo } from './stream-server.ts'

/**
 * A minute of 720p, H.264 and AAC, about 2 Mbit/s, cut every six seconds: what one segment costs
 * against mediabunny packaging the same one and against the same bytes served as a file.
 *
 * Needs ffmpeg and wrk (apt-get install ffmpeg wrk), and mediabunny as `openMediabunny` says.
 */
const segmentNumber = 3
/** More of the video than anyone keeps in memory, so that all read it; without its last segment. */
const segmentCount = 9
const segmentsPerRound = 60
const rounds = 9
const wrkSeconds = 2

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-stream-'))
const rows: Row[] = []
try {
  makeVideo(join(directory, 'film.mp4'))
  await measurePackaging()
  await measureServing('made for each request', 0)
  await measureServing('asked for again', 64 * 2 ** 20)
  await report('stream', rows)
} finally {
  await rm(directory, { recursive: true })
}

function makeVideo(file: string): void {
  const { success } = Bun.spawnSync(
    [
      ...'ffmpeg -v error -y -f lavfi -i testsrc2=size=1280x720:rate=30:duration=60'.split(' '),
      ...'-f lavfi -i sine=frequency=440:sample_rate=48000:duration=60'.split(' '),
      ...'-c:v libx264 -preset veryfast -b:v 1800k -pix_fmt yuv420p -g 60 -bf 2'.split(' '),
      ...'-c:a aac -b:a 128k -movflags +faststart'.split(' '),
      file,
    ],
    { stderr: 'inherit' },
  )
  if (!success) throw new Error('ffmpeg could not make the video')
}

async function measurePackaging(): Promise<void> {
  const { streams, file } = await openVideo(directory)
  const request = { path: videoPath, grant: undefined, version: undefined, quality: 'source' }
  const whole = new Blob((await readAll(segmentNumber)).map((part) => part as Blob))
  await Bun.write(join(directory, 'segment.m4s'), whole)

  const ours: Contender = { name: 'sedge', run: () => costOf(readAll) }
  const packages = await openMediabunny(file, segmentCount)
  const peer: Contender | undefined = packages && {
    name: 'mediabunny: the same segments',
    run: () => costOf(packages),
  }
  const title = `CPU of one ${(whole.size / 1e6).toFixed(2)} MB segment, nine in turn (ms)`
  const costs: number[] = []
  const watched = { ...ours, run: async () => costs[costs.push(await ours.run(0)) - 1] ?? 0 }
  const ratios = await compare({ title, ours: watched, peers: peer ? [peer] : [], rounds })
  const ratio = peer && ratios.get(peer.name)
  rows.push({
    what: 'one 6 s segment of 720p, warm index, read from the file',
    figure: '≤ 2 ms CPU',
    measured: `${median(costs).toFixed(2)} ms`,
  })
  rows.push({
    what: 'the same, against mediabunny',
    figure: '≥ 5x',
    measured: ratio === undefined ? 'mediabunny not found' : `${(1 / ratio).toFixed(1)}x`,
  })
  const playlist = () => streams.playlist({ path: videoPath, grant: undefined, quality: undefined })
  const list = () => streams.playlist({ path: videoPath, grant: undefined, quality: 'source' })
  const index = async () => indexMedia(Bun.file(file))
  rows.push({ what: 'master playlist', figure: '≤ 2 ms', measured: await medianCost(playlist) })
  rows.push({ what: 'media playlist', figure: '≤ 2 ms', measured: await medianCost(list) })
  rows.push({ what: 'reading the video at publish', figure: '', measured: await medianCost(index) })

  async function readAll(turn: number): Promise<readonly Part[]> {
    const segment = await streams.segment({ ...request, segment: turn % segmentCount })
    return await segment.read()
  }
}

async function medianCost(work: () => Promise<unknown>): Promise<string> {
  const costs: number[] = []
  for (let round = 0; round < rounds; round += 1) costs.push(await costOf(work))
  return `${median(costs).toFixed(2)} ms CPU`
}

/** Milliseconds of CPU, all threads, for each of many. */
async function costOf(work: (turn: number) => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 0; count < segmentsPerRound; count += 1) await work(count)
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000 / segmentsPerRound
}

async function measureServing(what: string, segmentMemoryBytes: number): Promise<void> {
  if (Bun.which('wrk') === null) return console.log('Skipped: serving needs wrk')
  const script = new URL('stream-server.ts', import.meta.url).pathname
  const server = Bun.spawn([process.execPath, script, directory, String(segmentMemoryBytes)], {
    stdout: 'pipe',
  })
  try {
    const port = await firstLine(server.stdout)
    const origin = `http://127.0.0.1:${port}`
    const segment = `${origin}/api/stream?path=${videoPath}&segment=${segmentNumber}`
    const cpu: Record<string, number[]> = { ours: [], file: [] }
    const contender = (name: string, url: string, costs: number[] | undefined): Contender => ({
      name,
      async run() {
        const before = await cpuOf(origin)
        const { perSecond, count } = await load(url)
        costs?.push(((await cpuOf(origin)) - before) / 1000 / count)
        return perSecond
      },
    })
    const ratios = await compare({
      title: `segments served, ${what} (per second)`,
      ours: contender('sedge', segment, cpu['ours']),
      peers: [contender('the same bytes as a file', `${origin}/file`, cpu['file'])],
      rounds,
    })
    rows.push({
      what: `throughput over HTTP against the same bytes as a file, ${what}`,
      figure: '≥ 0.7x',
      measured: `${(ratios.get('the same bytes as a file') ?? 0).toFixed(2)}x`,
    })
    rows.push({
      what: `CPU of the server for one segment over HTTP, ${what}, and for the file`,
      figure: '',
      measured: `${median(cpu['ours'] ?? []).toFixed(2)} ms, ${median(cpu['file'] ?? []).toFixed(2)} ms`,
    })
  } finally {
    server.kill()
    await server.exited
  }
}

async function firstLine(stream: ReadableStream<Uint8Array>): Promise<string> {
  for await (const chunk of stream) return Buffer.from(chunk).toString().trim()
  throw new Error('The server did not start')
}

async function cpuOf(origin: string): Promise<number> {
  return (await (await fetch(`${origin}/cpu`)).json()) as number
}

async function load(url: string): Promise<{ readonly perSecond: number; readonly count: number }> {
  const wrk = Bun.spawn(['wrk', '-t1', '-c8', `-d${wrkSeconds}s`, url], { stdout: 'pipe' })
  const text = await new Response(wrk.stdout).text()
  if (text.includes('Non-2xx')) throw new Error(`${url} was refused`)
  return {
    perSecond: Number(/Requests\/sec:\s*([\d.]+)/u.exec(text)?.[1]),
    count: Number(/(\d+) requests in/u.exec(text)?.[1]),
  }
}
