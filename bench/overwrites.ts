/**
 * One key of S3 written again and again, and many small keys, by S3 to a real service: what each PUT costs at
 * the beginning and at the end, where the bytes of the disk are, and what memory is held. `SEDGE_OVERWRITES`
 * and `SEDGE_KEYS` say how many; the growth law of the report is the line through the last two thirds.
 */
import { join } from 'node:path'
import { Database } from 'bun:sqlite'

import { mapConcurrently } from '../src/lib/async/map-concurrently.ts'
import { createS3Client, type S3Client, s3KeyFrom } from '../test/support/s3-client.ts'
import { account, startService, temporaryDirectory } from '../test/support/service-process.ts'
import { asInProduction, report } from './harness.ts'
import { residentBytes } from './process-usage.ts'

const overwrites = Number(process.env['SEDGE_OVERWRITES'] ?? 20_000)
const keys = Number(process.env['SEDGE_KEYS'] ?? 100_000)
const stretches = 10
const atOnce = 8
const contentBytes = 512

interface Stretch {
  readonly puts: number
  readonly msPerPut: number
  readonly gitBytes: number
  readonly packs: number
  readonly blobBytes: number
  readonly databaseBytes: number
  readonly memoryBytes: number
}

async function bytesIn(directory: string): Promise<number> {
  const text = await Bun.$`du -sb ${directory}`.nothrow().quiet().text()
  return Number(text.split('\t')[0])
}

const openService = (dataDirectory: string) =>
  startService({ dataDirectory, environment: { ...asInProduction, RATE_LIMITS: 'off' } })

async function openBench(dataDirectory: string) {
  const service = await openService(dataDirectory)
  await fetch(`${service.url}/api/core/zones`, {
    method: 'POST',
    headers: account,
    body: '{"Name":"bench"}',
  })
  const send = (path: string, init: RequestInit) => fetch(`${service.url}${path}`, init)
  const s3 = createS3Client({ send, credentials: await s3KeyFrom(send), origin: service.url })
  return { service, s3 }
}

async function measured(
  puts: number,
  keyOf: (index: number) => string,
  {
    s3,
    pid,
    dataDirectory,
  }: { readonly s3: S3Client; readonly pid: number; readonly dataDirectory: string },
): Promise<readonly Stretch[]> {
  const found: Stretch[] = []
  const each = Math.ceil(puts / stretches)
  for (let stretch = 0; stretch < stretches; stretch += 1) {
    const indexes = Array.from({ length: each }, (_, index) => stretch * each + index)
    const start = performance.now()
    await mapConcurrently(indexes, atOnce, async (index) => {
      const response = await s3.put(keyOf(index), contentOf(index))
      if (response.status !== 200) throw new Error(`PUT: ${await response.text()}`)
    })
    const msPerPut = (performance.now() - start) / each
    const repository = join(dataDirectory, 'repository.git')
    const packs = (await Array.fromAsync(new Bun.Glob('objects/pack/*.pack').scan(repository)))
      .length
    const row = {
      puts: (stretch + 1) * each,
      msPerPut,
      gitBytes: await bytesIn(repository),
      packs,
      blobBytes: await bytesIn(join(dataDirectory, 'blobs')),
      databaseBytes: Bun.file(join(dataDirectory, 'sedge.db')).size,
      memoryBytes: await residentBytes(pid),
    }
    found.push(row)
    console.log(
      [
        `${row.puts} puts`,
        `${row.msPerPut.toFixed(2)} ms each`,
        `git ${inMegabytes(row.gitBytes)} MB in ${row.packs} packs`,
        `blobs ${inMegabytes(row.blobBytes)} MB`,
        `database ${inMegabytes(row.databaseBytes)} MB`,
        `memory ${inMegabytes(row.memoryBytes)} MB`,
      ].join(', '),
    )
  }
  return found
}

/** Other bytes each time. */
const contentOf = (index: number): Uint8Array<ArrayBuffer> => {
  const bytes = new Uint8Array(contentBytes)
  new DataView(bytes.buffer).setUint32(0, index)
  for (let place = 4; place < bytes.length; place += 8)
    new DataView(bytes.buffer).setBigUint64(
      Math.min(place, contentBytes - 8),
      Bun.hash(`${index} ${place}`),
    )
  return bytes
}

/** By how many bytes a put of the last two thirds makes something larger. */
function slope(found: readonly Stretch[], of: (stretch: Stretch) => number): number {
  const [from, to] = [found[Math.floor(stretches / 3)], found.at(-1)]
  if (from === undefined || to === undefined) return Number.NaN
  return (of(to) - of(from)) / (to.puts - from.puts)
}

function tablesOf(dataDirectory: string): void {
  using database = new Database(join(dataDirectory, 'sedge.db'), { readonly: true })
  const rows = database
    .query(
      'select name, sum(pgsize) as bytes from dbstat group by name order by bytes desc limit 8',
    )
    .all() as { name: string; bytes: number }[]
  console.log(rows.map(({ name, bytes }) => `${name} ${inMegabytes(bytes)} MB`).join(', '))
}

async function run(name: string, puts: number, keyOf: (index: number) => string) {
  console.log(`\n${puts} ${name}`)
  await using directory = await temporaryDirectory()
  const dataDirectory = join(directory.path, 'data')
  const { service, s3 } = await openBench(dataDirectory)
  const found = await measured(puts, keyOf, { s3, pid: service.pid, dataDirectory })
  await service.stop()
  tablesOf(dataDirectory)
  const repository = join(dataDirectory, 'repository.git')
  const start = performance.now()
  await Bun.$`git -C ${repository} gc -q`.quiet()
  const seconds = ((performance.now() - start) / 1000).toFixed(1)
  const afterGc = await bytesIn(repository)
  console.log(`git gc: ${inMegabytes(afterGc)} MB after ${seconds} s`)
  const restart = performance.now()
  await (await openService(dataDirectory)).stop()
  const startSeconds = ((performance.now() - restart) / 1000).toFixed(1)
  return { found, afterGc, startSeconds }
}

function inMegabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1)
}

function rowsOf(name: string, { found, afterGc, startSeconds }: Awaited<ReturnType<typeof run>>) {
  const [first, last] = [found[0], found.at(-1)]
  const per = (of: (stretch: Stretch) => number) => slope(found, of).toFixed(0)
  return [
    {
      what: `ms for each PUT, eight at once, in the first and the last tenth of ${last?.puts} ${name}`,
      figure: 'last ≤ 1.5x first',
      measured: `${first?.msPerPut.toFixed(2)} / ${last?.msPerPut.toFixed(2)}`,
    },
    {
      what: `bytes that each of the last two thirds adds: git, blobs, database, memory`,
      figure: '—',
      measured: `${per((stretch) => stretch.gitBytes)}, ${per((stretch) => stretch.blobBytes)}, ${per((stretch) => stretch.databaseBytes)}, ${per((stretch) => stretch.memoryBytes)}`,
    },
    {
      what: 'packs at the end; the repository as it is, and after `git gc`',
      figure: '—',
      measured: `${last?.packs}; ${inMegabytes(last?.gitBytes ?? 0)} MB, ${inMegabytes(afterGc)} MB`,
    },
    { what: 'start and stop with all that', figure: '—', measured: `${startSeconds} s` },
  ]
}

const again = await run('overwrites of one key', overwrites, () => 'bench/counter.bin')
const many = await run('small keys', keys, (index) => `bench/${index % 1000}/${index}.bin`)
await report('overwrites', [
  ...rowsOf('overwrites of one key', again),
  ...rowsOf('small keys', many),
])
