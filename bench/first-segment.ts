/**
 * What the whole service takes for a segment of a film that nobody has asked for before, from the request to the last
 * byte: over its listener, with metrics, the processor time of all its processes. Every film has bytes of its own, and
 * so many have been asked for before that the compiler is nearly done. Beside it the same segments asked for again, and
 * mediabunny packaging a segment of the same film. `ROUNDS` and `FILMS` (in each round) say how often.
 *
 * Needs ffmpeg (apt-get install ffmpeg), Linux, and mediabunny as `openMediabunny` says.
 */
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

import { freePort } from '../test/support/free-port.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { browser } from './browser-fields.ts'
import { asInProduction, compare, type Contender, median, report, type Row } from './harness.ts'
import { openMediabunny } from './mediabunny.ts'
import { exactCpuSecondsOfTree, untilIdle } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 9)
const filmsPerRound = Number(process.env['FILMS'] ?? 6)
const warmingFilms = 40
const films = warmingFilms + rounds * filmsPerRound
const filmSeconds = 12

await using directory = await temporaryDirectory()
const film = join(directory.path, 'film.mp4')
makeFilm()
await using service = await startService({
  dataDirectory: join(directory.path, 'data'),
  environment: {
    ...asInProduction,
    IDLE_WORK: 'none',
    HOT_LINE: process.env['HOT_LINE'] ?? 'on',
    METRICS_PORT: String(await freePort()),
  },
})
await send('core/zones', { method: 'POST', headers: account, body: '{"Name":"bench"}' })
await storeFilms()
while (indexedFilms() < films) await Bun.sleep(500)
for (let number = 0; number < warmingFilms; number += 1)
  for (let time = 0; time < 4; time += 1) await ask(number)
// Their pictures are looked at for a while after.
await untilIdle(service.pid)

const costs: Record<'first' | 'again', number[]> = { first: [], again: [] }
const asking = (name: string, kept: number[]): Contender => ({
  name,
  async run(round) {
    const first = warmingFilms + round * filmsPerRound
    const before = await exactCpuSecondsOfTree(service.pid)
    for (let number = first; number < first + filmsPerRound; number += 1) await ask(number)
    const spent = (await exactCpuSecondsOfTree(service.pid)) - before
    return kept[kept.push((spent * 1000) / filmsPerRound) - 1] ?? Number.NaN
  },
})
/** Always in this order, whatever the turn is: what was asked for is known from then on. */
const ours: Contender = {
  name: 'asked for the first time',
  async run(round) {
    const first = await asking('', costs.first).run(round)
    await asking('', costs.again).run(round)
    return first
  },
}
const packages = await openMediabunny(film, 1)
const peer: Contender | undefined = packages && {
  name: 'mediabunny: packaging alone',
  async run() {
    const before = process.cpuUsage()
    for (let turn = 0; turn < filmsPerRound; turn += 1) await packages(turn)
    const { user, system } = process.cpuUsage(before)
    return (user + system) / 1000 / filmsPerRound
  },
}
if (peer !== undefined) for (let turn = 0; turn < 5; turn += 1) await peer.run(turn)
const megabytes = ((await ask(0)) / 1e6).toFixed(2)
const ratios = await compare({
  title: `CPU of one ${megabytes} MB segment over the whole service (ms)`,
  ours,
  peers: peer ? [peer] : [],
  rounds,
})
const ratio = peer && ratios.get(peer.name)
const rows: Row[] = [
  {
    what: `a segment of ${megabytes} MB for the first time, CPU of the whole service`,
    figure: '≤ 2 ms',
    measured: `${median(costs.first).toFixed(2)} ms`,
  },
  {
    what: 'the same segment again',
    figure: '',
    measured: `${median(costs.again).toFixed(2)} ms`,
  },
  {
    what: 'for the first time over the whole service, against mediabunny packaging alone',
    figure: '',
    measured: ratio === undefined ? 'mediabunny not found' : `${(1 / ratio).toFixed(1)}x`,
  },
]
await report('first-segment', rows)

function makeFilm(): void {
  const { success } = Bun.spawnSync(
    [
      ...`ffmpeg -v error -y -f lavfi -i testsrc2=size=1280x720:rate=30:duration=${filmSeconds}`.split(
        ' ',
      ),
      ...`-f lavfi -i sine=frequency=440:sample_rate=48000:duration=${filmSeconds}`.split(' '),
      ...'-c:v libx264 -preset veryfast -b:v 1800k -pix_fmt yuv420p -g 60 -bf 2'.split(' '),
      ...'-c:a aac -b:a 128k -movflags +faststart'.split(' '),
      film,
    ],
    { stderr: 'inherit' },
  )
  if (!success) throw new Error('ffmpeg could not make the film')
}

/** Each with a box of its own behind it that says nothing. */
async function storeFilms(): Promise<void> {
  const bytes = await Bun.file(film).bytes()
  for (let number = 0; number < films; number += 1) {
    const free = Buffer.from('\0\0\0\u0010free00000000', 'latin1')
    free.write(String(number).padStart(8, '0'), 8, 'latin1')
    await send(`storage/${pathOf(number)}`, {
      method: 'PUT',
      headers: access,
      body: Buffer.concat([bytes, free]),
    })
  }
}

/** How many were looked at, as each is once when it is published. */
function indexedFilms(): number {
  const names = readdirSync(join(directory.path, 'data/cache/stream-indexes'), {
    recursive: true,
    withFileTypes: true,
  })
  return names.filter((name) => name.isFile()).length
}

function pathOf(number: number): string {
  return `bench/v1/films/${number}.mp4`
}

/** How many bytes came. */
async function ask(number: number): Promise<number> {
  const response = await fetch(`${service.url}/api/stream?path=${pathOf(number)}&segment=0`, {
    headers: browser,
  })
  if (response.status !== 200) throw new Error(`film ${number}: ${await response.text()}`)
  return (await response.bytes()).length
}

/** Over a connection of its own: who watches a film is not who stored it. */
async function send(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${service.url}/api/${path}`, { ...init, keepalive: false })
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}
