import { join } from 'node:path'

import { makeBombs } from '../../test/fixtures/bombs.ts'
import { sniffImageType } from '../../src/domain/media/facts/image-type.ts'
import { residentBytes } from '../../src/lib/watch-process.ts'
import { percentile, type Row } from '../harness.ts'
import { LineProcess } from './line-process.ts'
import type { Bench } from './sample-images.ts'

const rounds = 5
const bodyBytes = 10_240

interface Latency {
  readonly p50: number
  readonly p99: number
}

/** What small answers of the same process take while images are made, or bombs defused. */
export async function measureIsolation(bench: Bench): Promise<Row[]> {
  const body = new Uint8Array(bodyBytes)
  using server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: () => new Response(body) })
  const client = new LineProcess([process.execPath, join(import.meta.dir, 'latency-process.ts')])
  await using _client = client
  const ask = async (): Promise<Latency> => JSON.parse(await client.ask(server.url.href))
  await ask()
  const idle: Latency[] = []
  const full: Latency[] = []
  const bombed: Latency[] = []
  const memory = watchMemory(bench)
  for (let round = 0; round < rounds; round += 1) {
    idle.push(await ask())
    full.push(await during(flood(bench, round), ask))
    bombed.push(await during(throwBombs(bench), ask))
  }
  const { own, child } = memory.stop()
  return [
    row('a small answer while the render queue is full', '≤ 2x idle', { idle, busy: full }),
    row('a small answer while hostile pictures are worked on', '≤ 1.2x idle', {
      idle,
      busy: bombed,
    }),
    {
      what: 'memory',
      figure: 'main process flat, each child ≤ 400 MB',
      measured: `main process ${own.join(' → ')} MB over ${rounds} rounds, largest child ${child} MB`,
    },
  ]
}

function row(
  what: string,
  figure: string,
  { idle, busy }: { readonly idle: readonly Latency[]; readonly busy: readonly Latency[] },
): Row {
  const ratio = (of: keyof Latency) =>
    percentile(
      busy.map((each, round) => each[of] / (idle[round]?.[of] ?? Number.NaN)),
      0.5,
    ).toFixed(2)
  const p99 = (all: readonly Latency[]) =>
    percentile(
      all.map((each) => each.p99),
      0.5,
    ).toFixed(2)
  const measured = `p99 ${ratio('p99')}x, p50 ${ratio('p50')}x (p99 ${p99(busy)} against ${p99(idle)} ms)`
  return { what, figure, measured }
}

async function during(work: { stop(): Promise<void> }, ask: () => Promise<Latency>) {
  const latency = await ask()
  await work.stop()
  return latency
}

/** Keeps every slot busy and the queue filled until it is stopped. */
function flood({ house }: Bench, round: number) {
  const stopping = new AbortController()
  let width = 300 + round * 400
  const assets = [...house.assets.values()]
  const worker = async (start: number) => {
    for (let turn = start; !stopping.signal.aborted; turn += 1) {
      const asset = assets[turn % assets.length]
      width += 1
      const query = new URLSearchParams({ w: `${width}`, format: 'avif' })
      if (asset)
        await house.images
          .transform({ asset, query, accept: '*/*', savesData: false })
          .catch(() => {})
    }
  }
  const workers = Array.from({ length: 12 }, (_, index) => worker(index))
  return {
    async stop() {
      stopping.abort()
      await Promise.all(workers)
    },
  }
}

function throwBombs({ house, directory }: Bench) {
  const stopping = new AbortController()
  const work = async () => {
    const bombs = (await makeBombs()).filter(({ isRefused }) => !isRefused)
    for (let turn = 0; !stopping.signal.aborted; turn += 1) {
      const bomb = bombs[turn % bombs.length]
      const format = bomb && sniffImageType(bomb.bytes)
      if (bomb === undefined || format === undefined) continue
      const path = join(directory, 'bomb')
      await Bun.write(path, bomb.bytes)
      await house.renderer.run({ kind: 'inspect', path, format }).then(
        ({ result: size }) =>
          house.renderer
            .run({
              kind: 'transform',
              source: { path, format, size, isSrgb: false },
              isAnimated: size.frames > 1,
              resize: { width: 2000, height: 2000 },
              output: { format: 'webp', quality: 80, effort: 'fast', isGraphic: false },
            })
            .catch(() => {}),
        () => {},
      )
    }
  }
  const done = work()
  return {
    async stop() {
      stopping.abort()
      await done
    },
  }
}

const toMegabytes = (bytes: number): number => Math.round(bytes / 2 ** 20)

function watchMemory({ house }: Bench) {
  const own: number[] = []
  let child = 0
  const timer = setInterval(() => {
    child = Math.max(child, ...house.renderer.pids.map(residentBytes))
  }, 50)
  const ownTimer = setInterval(() => own.push(toMegabytes(process.memoryUsage.rss())), 5000)
  return {
    stop() {
      clearInterval(timer)
      clearInterval(ownTimer)
      const [first = 0] = own
      const middle = own[Math.floor(own.length / 2)] ?? first
      return { own: [first, middle, own.at(-1) ?? first], child: toMegabytes(child) }
    },
  }
}
