import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { writeObjects } from './edge-objects.ts'
import { startEdge, startNginx, type BenchServer } from './edge-servers.ts'
import { compare, median, report, type Contender, type Row } from './harness.ts'

/**
 * The edge against nginx: requests for each second of processor time the server used (user and
 * system, from /proc), the same objects, the same load generator, in turn. nginx runs as it comes
 * (sendfile, access log buffered) and once more with its files kept open.
 */
const [, , manyText = '100000', roundsText = '9'] = process.argv
const many = Number(manyText)
const rounds = Number(roundsText)
const seconds = 2
const connections = 64

interface Load {
  readonly path: string
  readonly headers?: readonly string[]
  readonly script?: string
}

interface Measured {
  readonly perCpuSecond: number
  readonly p99Ms: number
}

async function measure(server: BenchServer, load: Load): Promise<Measured> {
  const { path, headers = [], script } = load
  const before = server.cpuSeconds()
  const wrk = Bun.spawn(
    [
      'wrk',
      '-t1',
      `-c${connections}`,
      `-d${seconds}s`,
      '--latency',
      ...headers.flatMap((header) => ['-H', header]),
      ...(script === undefined ? [] : ['-s', script]),
      `http://127.0.0.1:${server.port}${path}`,
    ],
    { stdout: 'pipe' },
  )
  const text = await new Response(wrk.stdout).text()
  const used = server.cpuSeconds() - before
  if (/Non-2xx or 3xx|Socket errors/u.test(text))
    throw new Error(`${path} from ${server.name}: ${text}`)
  const count = Number(/(?<count>\d+) requests in/u.exec(text)?.groups?.['count'])
  return { perCpuSecond: count / used, p99Ms: milliseconds(/99%\s+(?<time>\S+)/u.exec(text)?.[1]) }
}

function milliseconds(text = ''): number {
  const { value, unit } = /^(?<value>[\d.]+)(?<unit>\w+)$/u.exec(text)?.groups ?? {}
  return Number(value) * ({ us: 0.001, ms: 1, s: 1000 }[unit ?? ''] ?? Number.NaN)
}

const path = (name: string): string => `/bench/v1/icons/${name}`
const etagOf = async ({ port }: BenchServer, name: string): Promise<string> =>
  (await fetch(`http://127.0.0.1:${port}${path(name)}`)).headers.get('etag') ?? ''

for (const tool of ['nginx', 'wrk'])
  if (Bun.which(tool) === null) {
    console.log(`bench/edge is skipped: there is no ${tool}; apt-get install nginx-light wrk`)
    process.exit(0)
  }

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-edge-'))
await using closing = new AsyncDisposableStack()
closing.defer(() => rm(directory, { recursive: true }))
console.log(`Writing ${many} objects`)
const objects = await writeObjects(directory, many)
const random = join(directory, 'random.lua')
// Made before the clock starts: a client that formats each request would be what is measured.
await Bun.write(
  random,
  `local requests = {}
init = function()
  for index = 0, ${many - 1} do
    requests[index] = wrk.format("GET", "/bench/v1/icons/n" .. index .. ".png")
  end
end
request = function() return requests[math.random(0, ${many - 1})] end`,
)
const edge = closing.use(await startEdge(objects))
const nginx = closing.use(await startNginx(objects, { port: 18_951, isTuned: false }))
const tuned = closing.use(await startNginx(objects, { port: 18_952, isTuned: true }))

const p99 = new Map<string, number[]>()

/** Our rate by each nginx's, for one kind of load. */
async function race(title: string, loadOf: (server: BenchServer) => Promise<Load>) {
  const contender = (server: BenchServer): Contender => ({
    name: server.name,
    async run() {
      const measured = await measure(server, await loadOf(server))
      p99.set(server.name, [...(p99.get(server.name) ?? []), measured.p99Ms])
      return measured.perCpuSecond
    },
  })
  p99.clear()
  const ratios = await compare({
    title: `${title} (requests per CPU-second)`,
    ours: contender(edge),
    peers: [contender(nginx), contender(tuned)],
    rounds,
  })
  const ratio = (server: BenchServer) => `${(ratios.get(server.name) ?? Number.NaN).toFixed(2)}x`
  return `${ratio(nginx)} (${ratio(tuned)} of nginx with open_file_cache)`
}

const rows: Row[] = []
const row = (what: string, figure: string, measured: string) =>
  rows.push({ what, figure, measured })

row(
  '10 KB asset, hot, all features and counting on',
  '≥ 0.95x nginx',
  await race('10 KB', async () => ({ path: path('a.png') })),
)
const latency = (server: BenchServer) => median(p99.get(server.name) ?? [])
row(
  `p99 at ${connections} connections, 10 KB`,
  "≤ 3x nginx's",
  `${(latency(edge) / latency(nginx)).toFixed(2)}x (${latency(edge).toFixed(1)} ms to ${latency(nginx).toFixed(1)} ms)`,
)
row(
  '304 answers',
  '≥ 0.9x nginx',
  await race('304', async (server) => ({
    path: path('a.png'),
    headers: [`If-None-Match: ${await etagOf(server, 'a.png')}`],
  })),
)
row(
  'br variant',
  '≥ 0.9x nginx',
  await race('br', async (server) => ({
    path: server === edge ? path('a.css') : '/coded/a.css',
    headers: ['Accept-Encoding: gzip, deflate, br, zstd'],
  })),
)
row('1 MB asset', '≥ 1.5x nginx', await race('1 MB', async () => ({ path: path('big.png') })))
/** Asks for everything once, so that caches, the kernel's included, hold what they can. */
async function warm({ port }: BenchServer): Promise<void> {
  let next = 0
  const worker = async (): Promise<void> => {
    for (let index = next++; index < many; index = next++)
      await (await fetch(`http://127.0.0.1:${port}${path(`n${index}.png`)}`)).arrayBuffer()
  }
  await Promise.all(Array.from({ length: 32 }, worker))
}
for (const server of [edge, nginx, tuned]) await warm(server)

row(
  `${many.toLocaleString('en-US')} different assets of 4 KB, uniform`,
  '≥ 0.7x nginx',
  await race('different assets', async () => ({ path: '/', script: random })),
)
await report('edge', rows)
