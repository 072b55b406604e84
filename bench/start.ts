/**
 * How soon a service is there: from its start until it says that it is well and has sent a file, with no files and with
 * many, after a clean end and after it was killed, and what that takes of the processors. `ASSETS=100000,1000000` says
 * how many files; a service publishes them first, some 300 a second. `DATA=directory` keeps them for the next run.
 * `SEDGE_EXECUTABLE=dist/sedge` measures the one file beside the sources, `BESIDE=directory` another checkout.
 */
import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'

import { type ImportedFile, importCommit } from '../test/support/import-commit.ts'
import { access, account, temporaryDirectory, testKeys } from '../test/support/service-process.ts'
import { median, report, type Row } from './harness.ts'
import { exactCpuSecondsOfTree } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const counts = (process.env['ASSETS'] ?? '100000').split(',').map(Number)
const root = join(import.meta.dir, '..')
const executable = process.env['SEDGE_EXECUTABLE']
const otherRoot = process.env['BESIDE']
const programIn = (checkout: string) => [process.execPath, join(checkout, 'src', 'cli', 'main.ts')]

/** What is started, by its name. */
const programs: Readonly<Record<string, readonly string[]>> = {
  sources: programIn(root),
  ...(otherRoot !== undefined && { 'the other sources': programIn(resolve(otherRoot)) }),
  ...(executable !== undefined && { 'the one file': [resolve(executable)] }),
}

/** When whatever comes after a start has been done, but for what waits half a minute. */
const afterwardsMs = 3_000
const file = 'bench/v1/icons/first.svg'

interface Start {
  readonly readyMs: number
  readonly servedMs: number
  readonly readyCpuMs: number
  readonly servedCpuMs: number
  readonly afterwardsCpuMs: number
}

type Ending = 'SIGTERM' | 'SIGKILL'

async function spawnService(program: readonly string[], dataDirectory: string) {
  const child = Bun.spawn([...program, 'serve'], {
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: process.env['HOME'] ?? '',
      DATA_DIR: dataDirectory,
      PORT: '0',
      LOG_LEVEL: 'error',
      // What is found by its meaning is another process's to say.
      SEARCH_BY_NAME_ONLY: 'true',
      DNS_SERVERS: '127.0.0.1:9',
      NOTIFY_WEBHOOK_KINDS: 'none',
      ...testKeys,
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  return { child, url: await readyUrl(child.stdout) }
}

async function readyUrl(output: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const bytes of output) {
    text += decoder.decode(bytes, { stream: true })
    const url = /ready at (https?:\S+)\//u.exec(text)?.[1]
    if (url !== undefined) return url
  }
  throw new Error(`the service ended before it was ready: ${text}`)
}

async function start(
  program: readonly string[],
  dataDirectory: string,
  ending: Ending,
): Promise<Start> {
  const begunAt = performance.now()
  const { child, url } = await spawnService(program, dataDirectory)
  const readyMs = performance.now() - begunAt
  const readyCpuMs = (await exactCpuSecondsOfTree(child.pid)) * 1000
  for (const path of ['/api/health', `/${file}`]) await fetchWell(`${url}${path}`)
  const servedMs = performance.now() - begunAt
  const servedCpuMs = (await exactCpuSecondsOfTree(child.pid)) * 1000
  await Bun.sleep(afterwardsMs)
  const afterwardsCpuMs = (await exactCpuSecondsOfTree(child.pid)) * 1000
  child.kill(ending)
  await child.exited
  return { readyMs, servedMs, readyCpuMs, servedCpuMs, afterwardsCpuMs }
}

async function fetchWell(url: string): Promise<void> {
  const response = await fetch(url, { headers: access })
  await response.arrayBuffer()
  if (response.status !== 200) throw new Error(`${url} was answered with ${response.status}`)
}

const words = 'arrow badge camera door eagle flag garden house island jacket kite lamp moon'.split(
  ' ',
)

/** A hundred zones, of one commit of git's; then one file as somebody stores it. */
async function createData(dataDirectory: string, assetCount: number): Promise<void> {
  const { sources = [] } = programs
  const first = await spawnService(sources, dataDirectory)
  const json = { method: 'POST', headers: account, body: '{"Name":"bench"}' }
  await (await fetch(`${first.url}/api/core/zones`, json)).text()
  const put = { method: 'PUT', headers: access, body: '<svg xmlns="http://www.w3.org/2000/svg"/>' }
  await (await fetch(`${first.url}/api/storage/${file}`, put)).text()
  first.child.kill('SIGTERM')
  await first.child.exited
  if (assetCount > 0)
    await importCommit({
      repository: join(dataDirectory, 'repository.git'),
      files: filesOf(assetCount),
    })
  await start(sources, dataDirectory, 'SIGTERM')
}

function* filesOf(assetCount: number): Generator<ImportedFile> {
  for (let index = 0; index < assetCount; index += 1) {
    const name = `${words[index % 13]}-${words[(index * 7) % 13]}-${index}.svg`
    yield { path: `clients/zone-${index % 100}/v1/icons/${name}`, content: `asset ${index}` }
  }
}

async function measure(assetCount: number, directory: string): Promise<readonly Row[]> {
  if (!existsSync(join(directory, 'repository.git'))) await createData(directory, assetCount)
  const endings: readonly Ending[] = ['SIGTERM', 'SIGKILL']
  const cases = Object.keys(programs).flatMap((name) => endings.map((after) => ({ name, after })))
  const starts = new Map(cases.map((each) => [each, [] as Start[]]))
  // Everyone in turn, so that a machine that slows down slows them all.
  for (let round = 0; round < rounds; round += 1)
    for (const [{ name, after }, taken] of starts) {
      const program = programs[name] ?? []
      await start(program, directory, after)
      taken.push(await start(program, directory, 'SIGTERM'))
    }
  return [...starts].map(([{ name, after }, taken]) => ({
    what: `${name}, ${assetCount.toLocaleString('en')} files, after ${after === 'SIGTERM' ? 'an end' : 'kill -9'}`,
    figure: figureOf(assetCount),
    measured: measuredOf(taken),
  }))
}

function figureOf(assetCount: number): string {
  if (assetCount === 0) return '≤ 0.7 s of processors'
  return assetCount > 100_000 ? '≤ 6 s' : '≤ 2 s'
}

function measuredOf(taken: readonly Start[]): string {
  const seconds = (of: (each: Start) => number) => (median(taken.map(of)) / 1000).toFixed(2)
  return [
    `served after ${seconds(({ servedMs }) => servedMs)} s (ready after ${seconds(({ readyMs }) => readyMs)} s)`,
    `${seconds(({ servedCpuMs }) => servedCpuMs)} s of processors (ready: ${seconds(({ readyCpuMs }) => readyCpuMs)}, 3 s later: ${seconds(({ afterwardsCpuMs }) => afterwardsCpuMs)})`,
  ].join('; ')
}

await using directory = await temporaryDirectory()
const kept = process.env['DATA'] ?? directory.path
const rows: Row[] = []
for (const count of [0, ...counts]) rows.push(...(await measure(count, join(kept, String(count)))))
await report('start', rows)
