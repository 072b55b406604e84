/**
 * Another checkout of Sedge against this one: delivery, durable writes and new encodings, in turn in one run.
 * `npx bun bench/two-checkouts.ts <path of the other checkout> [edge] [put] [images]`, all where none is named; the other
 * needs a `node_modules` of its own.
 */
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { basename, join, resolve } from 'node:path'

import type { startService } from '../test/support/service-process.ts'
import { access, account, type ServiceProcess } from '../test/support/service-process.ts'
import { writeObjects } from './edge-objects.ts'
import type { startEdge } from './edge-servers.ts'
import { compare, type Contender, report, type Row } from './harness.ts'
import { findImages } from './images/sample-images.ts'

const rounds = Number(process.env['ROUNDS'] ?? 13)
const figure = '≥ 0.98x'
const ours = resolve(import.meta.dir, '..')
const [, , argument, ...parts] = process.argv
const isWanted = (part: string): boolean => parts.length === 0 || parts.includes(part)
if (argument === undefined) throw new Error('Which checkout is this one compared with?')
const other = resolve(argument)

interface Checkout {
  readonly startEdge: typeof startEdge
  readonly startService: typeof startService
}

/** A checkout is measured with servers of its own, started by its own programs. */
const load = async (root: string): Promise<Checkout> => ({
  ...(await import(join(root, 'bench', 'edge-servers.ts'))),
  ...(await import(join(root, 'test', 'support', 'service-process.ts'))),
})

interface Measurement {
  readonly title: string
  readonly runOurs: Contender['run']
  readonly runOther: Contender['run']
}

async function compareBoth({ title, runOurs, runOther }: Measurement): Promise<Row> {
  const ratios = await compare({
    title,
    ours: { name: 'this checkout', run: runOurs },
    peers: [{ name: 'the other', run: runOther }],
    rounds,
  })
  return { what: title, figure, measured: `${(ratios.get('the other') ?? Number.NaN).toFixed(3)}x` }
}

/** Requests for each second of CPU of the server. */
async function measureEdges(checkouts: readonly [Checkout, Checkout]): Promise<readonly Row[]> {
  if (Bun.which('wrk') === null) {
    console.log('delivery is skipped: there is no wrk; apt-get install wrk')
    return []
  }
  const objects = await writeObjects(await mkdtemp(join(directory, 'edge-')), 100)
  await using mine = await checkouts[0].startEdge(objects)
  await using theirs = await checkouts[1].startEdge(objects)
  const response = await fetch(`http://127.0.0.1:${mine.port}/bench/v1/icons/a.png`)
  const loads: readonly (readonly [string, string, string?])[] = [
    ['10 KB', 'a.png'],
    ['304', 'a.png', `If-None-Match: ${response.headers.get('etag')}`],
    ['Brotli', 'a.css', 'Accept-Encoding: br'],
    ['1 MB', 'big.png'],
  ]
  const rows: Row[] = []
  for (const [what, name, field] of loads) {
    const run = (server: typeof mine) => async (): Promise<number> => {
      const before = server.cpuSeconds()
      const fields = field === undefined ? [] : ['-H', field]
      const url = `http://127.0.0.1:${server.port}/bench/v1/icons/${name}`
      const wrk = Bun.spawn(['wrk', '-t1', '-c64', '-d1s', ...fields, url], { stdout: 'pipe' })
      const [, count] = /(\d+) requests in/u.exec(await new Response(wrk.stdout).text()) ?? []
      return Number(count) / (server.cpuSeconds() - before)
    }
    const title = `edge: ${what}, 64 connections (requests/CPU-second)`
    const [runOurs, runOther] = [run(mine), run(theirs)]
    // Codings are made and code is compiled while the first are answered.
    for (const warm of [runOurs, runOther, runOther, runOurs]) await warm()
    rows.push(await compareBoth({ title, runOurs, runOther }))
  }
  return rows
}

async function measureWrites(mine: ServiceProcess, theirs: ServiceProcess): Promise<Row[]> {
  let next = 0
  const put = async ({ url }: ServiceProcess): Promise<void> => {
    next += 1
    const body = crypto.getRandomValues(new Uint8Array(10 * 1024))
    const address = `${url}/api/storage/bench/v1/icons/${next % 100}/${next}.png`
    const response = await fetch(address, { method: 'PUT', headers: access, body })
    await response.arrayBuffer()
    if (response.status !== 201) throw new Error(`PUT was answered ${response.status}`)
  }
  const rate = (service: ServiceProcess, clients: number) => async (): Promise<number> => {
    const start = performance.now()
    const client = async (): Promise<void> => {
      for (let index = 0; index < 20; index += 1) await put(service)
    }
    await Promise.all(Array.from({ length: clients }, client))
    return (clients * 20 * 1000) / (performance.now() - start)
  }
  const rows: Row[] = []
  for (const clients of [1, 32])
    rows.push(
      await compareBoth({
        title: `put: 10 KB, durable, ${clients} at once (writes/s)`,
        runOurs: rate(mine, clients),
        runOther: rate(theirs, clients),
      }),
    )
  return rows
}

const encodedAs = ['avif', 'webp', 'jpeg']

/** Each round asks for a width that was never asked for. */
async function measureEncodings(mine: ServiceProcess, theirs: ServiceProcess): Promise<Row[]> {
  const images = (await findImages(await mkdtemp(join(directory, 'images-')))).slice(0, 6)
  for (const { url } of [mine, theirs])
    for (const path of images) {
      const address = `${url}/api/storage/bench/v1/banners/${basename(path)}`
      const response = await fetch(address, {
        method: 'PUT',
        headers: access,
        body: Bun.file(path),
      })
      if (response.status !== 201) throw new Error(`PUT was answered ${response.status}`)
    }
  const encode = async (url: string, round: number): Promise<void> => {
    for (const path of images)
      for (const format of encodedAs) {
        const query = new URLSearchParams({
          url: `/bench/v1/banners/${basename(path)}`,
          w: String(300 + 7 * round),
          format,
        })
        const response = await fetch(`${url}/api/transform?${query.toString()}`)
        if ((await response.bytes()).length === 0 || response.status !== 200)
          throw new Error(`A transform was answered ${response.status}`)
      }
  }
  const run =
    ({ url, pid }: ServiceProcess) =>
    async (round: number): Promise<number> => {
      const before = await cpuSecondsOfTree(pid)
      await encode(url, round)
      return (images.length * encodedAs.length) / ((await cpuSecondsOfTree(pid)) - before)
    }
  // What is worked out of each image after it was stored is not what is measured.
  for (const { url } of [mine, theirs])
    for (const round of [rounds, rounds + 1]) await encode(url, round)
  const title = 'images: new encodings over HTTP (encodings/CPU-second of service and children)'
  return [await compareBoth({ title, runOurs: run(mine), runOther: run(theirs) })]
}

const ticksPerSecond = 100

/** Of a process and all its children, those that have ended among them. */
async function cpuSecondsOfTree(pid: number): Promise<number> {
  const stat = await Bun.file(`/proc/${pid}/stat`).text()
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  let sum = fields.slice(11, 15).reduce((ticks, each) => ticks + Number(each), 0) / ticksPerSecond
  for (const task of await readdir(`/proc/${pid}/task`)) {
    const children = await Bun.file(`/proc/${pid}/task/${task}/children`).text()
    for (const child of children.split(' ').filter((text) => text !== ''))
      sum += await cpuSecondsOfTree(Number(child))
  }
  return sum
}

async function measure(): Promise<readonly Row[]> {
  const checkouts = [await load(ours), await load(other)] as const
  const edges = isWanted('edge') ? await measureEdges(checkouts) : []
  const start = async (checkout: Checkout): Promise<ServiceProcess> => {
    const dataDirectory = join(await mkdtemp(join(directory, 'data-')), 'data')
    const service = await checkout.startService({
      dataDirectory,
      environment: { IDLE_WORK: 'none' },
    })
    const body = JSON.stringify({ Name: 'bench' })
    await fetch(`${service.url}/api/core/zones`, { method: 'POST', headers: account, body })
    return service
  }
  await using mine = await start(checkouts[0])
  await using theirs = await start(checkouts[1])
  return [
    ...edges,
    ...(isWanted('put') ? await measureWrites(mine, theirs) : []),
    ...(isWanted('images') ? await measureEncodings(mine, theirs) : []),
  ]
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-two-'))
try {
  await report('two-checkouts', await measure())
} finally {
  await rm(directory, { recursive: true, force: true })
}
