/**
 * What each asset that the service knows costs it: memory in the process that answers, and the start. With files
 * that git made, of which each has a name and bytes of its own. `DATA=directory` keeps them for the next run,
 * for a million take a quarter of an hour to be published.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'

import { access, startService, temporaryDirectory } from '../test/support/service-process.ts'
import { type ImportedFile, importCommit } from '../test/support/import-commit.ts'
import { asInProduction, median, report } from './harness.ts'
import { cpuSeconds, residentBytes, untilIdle } from './process-usage.ts'

const assetCount = Number(process.env['ASSETS'] ?? 1_000_000)
/** Half a minute after a start it is seen to files that nobody has looked at yet, which takes as long as there are such. */
const beforeLooksMs = 25_000
const rounds = Number(process.env['ROUNDS'] ?? 3)
/** Names are found by what they are called; what they mean is another process's to say. */
const environment = { ...asInProduction, SEARCH_BY_NAME_ONLY: 'true' }

const words = 'arrow badge camera door eagle flag garden house island jacket kite lamp moon'.split(
  ' ',
)
const categories = ['banners', 'github', 'icons', 'logos', 'titles']

/** A hundred zones, of one commit. */
async function createFiles(dataDirectory: string): Promise<void> {
  await (await startService({ dataDirectory, environment })).stop()
  const repository = join(dataDirectory, 'repository.git')
  await importCommit({ repository, files: files() })
}

function* files(): Generator<ImportedFile> {
  for (let index = 0; index < assetCount; index += 1) {
    const name = `${words[index % 13]}-${words[(index * 7) % 13]}-${index}.svg`
    const path = `clients/zone-${index % 100}/v1/${categories[index % 5]}/${name}`
    yield { path, content: `asset ${index}` }
  }
}

interface Start {
  readonly wallSeconds: number
  readonly cpuSeconds: number
  /** Once nothing is left to do for the start. */
  readonly restBytes: number
  readonly peakBytes: number
}

async function start(dataDirectory: string): Promise<Start> {
  const startedAt = performance.now()
  await using service = await startService({ dataDirectory, environment })
  const page = await fetch(`${service.url}/api/assets?per_page=50`, { headers: access })
  await page.arrayBuffer()
  const wallSeconds = (performance.now() - startedAt) / 1000
  const cpu = await cpuSeconds(service.pid)
  await Promise.race([untilIdle(service.pid), Bun.sleep(beforeLooksMs)])
  const restBytes = await residentBytes(service.pid)
  const status = await Bun.file(`/proc/${service.pid}/status`).text()
  const peakBytes = Number(/VmHWM:\s+(\d+) kB/u.exec(status)?.[1] ?? Number.NaN) * 1024
  return { wallSeconds, cpuSeconds: cpu, restBytes, peakBytes }
}

async function main(dataDirectory: string, emptyDirectory: string): Promise<void> {
  if (!existsSync(join(dataDirectory, 'repository.git'))) {
    await createFiles(dataDirectory)
    await start(dataDirectory)
  }
  await start(emptyDirectory)
  const empty = await start(emptyDirectory)
  const starts: Start[] = []
  for (let round = 0; round < rounds; round += 1) starts.push(await start(dataDirectory))
  const middle = (of: (each: Start) => number) => median(starts.map(of))
  const bytes = (middle(({ restBytes }) => restBytes) - empty.restBytes) / assetCount
  const wall = middle(({ wallSeconds }) => wallSeconds)
  const cpu = middle((each) => each.cpuSeconds)
  await report('known-assets', [
    {
      what: `resident memory for each of ${assetCount} known assets, at rest`,
      figure: '≤ 1.0 KB',
      measured: `${(bytes / 1024).toFixed(2)} KB (${mib(empty.restBytes)} MiB without any)`,
    },
    {
      what: 'the most memory until then',
      figure: '≤ 2 GiB',
      measured: `${mib(middle(({ peakBytes }) => peakBytes))} MiB`,
    },
    {
      what: 'start to the first page of the catalogue',
      figure: '≤ 6 s',
      measured: `${wall.toFixed(1)} s, ${cpu.toFixed(1)} s of processors (${empty.wallSeconds.toFixed(1)} and ${empty.cpuSeconds.toFixed(1)} s without any)`,
    },
  ])
}

const mib = (size: number): string => (size / 2 ** 20).toFixed(0)

await using directory = await temporaryDirectory()
await main(process.env['DATA'] ?? join(directory.path, 'data'), join(directory.path, 'empty'))
