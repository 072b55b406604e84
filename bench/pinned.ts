/**
 * A file as an old commit has it, and as a preview shows it, against a file as it is published: the CPU of the
 * service for each response, hot and cold. Cold is the first request for a file of a commit that others were asked of.
 * `WORKERS=1` asks a worker beside the service, over one connection.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { access, account, startService } from '../test/support/service-process.ts'
import { connectToEach, workersOf } from '../test/support/shared-port.ts'
import { asInProduction, compare, report } from './harness.ts'
import { cpuSeconds } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const coldFiles = Number(process.env['COLD'] ?? 400)
const hotRequests = Number(process.env['HOT'] ?? 20_000)
const bytes = 10_240
const filesPerBatch = 100
const workers = process.env['WORKERS'] ?? '0'

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-pinned-'))
try {
  await using service = await startService({
    dataDirectory: join(directory, 'data'),
    environment: {
      ...asInProduction,
      HISTORY_PER_MINUTE: '1000000',
      IDLE_WORK: 'none',
      EDGE_WORKERS: workers,
    },
  })
  await core('POST', 'zones', { Name: 'acme' })
  await core('PATCH', 'zones/acme', { History: 'public' })
  const paths = Array.from(
    { length: coldFiles * rounds * 2 },
    (_, index) => `acme/v1/data/${index % 50}/file-${index}.jpg`,
  )
  const worker = workers === '0' ? undefined : await connectToWorker()
  for (let start = 0; start < paths.length; start += filesPerBatch)
    await Promise.all(paths.slice(start, start + filesPerBatch).map(put))
  const old = await newest()
  // Neither of the two halves is asked for twice.
  const pinned = paths.slice(0, coldFiles * rounds)
  for (let start = 0; start < pinned.length; start += filesPerBatch)
    await Promise.all(pinned.slice(start, start + filesPerBatch).map(put))
  await (await fetch(`${service.url}/@${old}/${paths.at(-1)}`)).bytes()

  const cold = await compare({
    title: 'first response (CPU µs each)',
    ours: coldContender('pinned', (round) => slice(pinned, round).map((path) => `@${old}/${path}`)),
    peers: [coldContender('live', (round) => slice(paths.slice(coldFiles * rounds), round))],
    rounds,
  })
  await core('POST', 'zones/acme/previews', { Name: 'spring', From: old })
  const first = `@${old}/${pinned[0] ?? ''}`
  const shown = `@~spring/${pinned[0] ?? ''}`
  const other = paths.at(-2) ?? ''
  const hot = await compare({
    title: 'hot response (CPU µs each)',
    ours: coldContender('pinned', () => Array.from({ length: hotRequests }, () => first)),
    peers: [coldContender('live', () => Array.from({ length: hotRequests }, () => other))],
    rounds,
  })
  const preview = await compare({
    title: 'hot response of a preview (CPU µs each)',
    ours: coldContender('preview', () => Array.from({ length: hotRequests }, () => shown)),
    peers: [coldContender('live', () => Array.from({ length: hotRequests }, () => other))],
    rounds,
  })
  await report(workers === '0' ? 'pinned' : 'pinned-workers', [
    row('hot', '≤ 1.0x', hot.get('live')),
    row('cold', '≤ 3x', cold.get('live')),
    row('hot, from a preview', 'about 1x', preview.get('live')),
  ])

  function coldContender(name: string, urls: (round: number) => readonly string[]) {
    return {
      name,
      async run(round: number): Promise<number> {
        const all = urls(round)
        const before = await cpuOfAll()
        const atOnce = worker === undefined ? 16 : 1
        for (let start = 0; start < all.length; start += atOnce)
          await Promise.all(all.slice(start, start + atOnce).map(get))
        return ((await cpuOfAll()) - before) * (1e6 / all.length)
      },
    }
  }

  async function cpuOfAll(): Promise<number> {
    const pids = [service.pid, ...(await workersOf(service.pid))]
    return (await Promise.all(pids.map(cpuSeconds))).reduce((sum, seconds) => sum + seconds, 0)
  }

  async function connectToWorker() {
    const connections = [...(await connectToEach(service, Number(workers)))]
    return connections.find(([pid]) => pid !== service.pid)?.[1]
  }

  async function get(path: string): Promise<void> {
    if (worker !== undefined) {
      const { status } = await worker.ask({ path: `/${path}` })
      if (status !== 200) throw new Error(`${path}: ${status}`)
      return
    }
    const response = await fetch(`${service.url}/${path}`)
    if (response.status !== 200) throw new Error(`${path}: ${response.status}`)
    await response.bytes()
  }

  async function put(path: string): Promise<void> {
    const body = crypto.getRandomValues(new Uint8Array(bytes))
    const init = { method: 'PUT', headers: access, body }
    const { status } = await fetch(`${service.url}/api/storage/${path}`, init)
    if (status !== 201) throw new Error(`${path}: ${status}`)
  }

  async function core(method: string, path: string, body: unknown): Promise<void> {
    const init = { method, headers: account, body: JSON.stringify(body) }
    const response = await fetch(`${service.url}/api/core/${path}`, init)
    if (!response.ok) throw new Error(await response.text())
  }

  async function newest(): Promise<string> {
    const url = `${service.url}/api/core/zones/acme/history?limit=1`
    const { Commits } = (await (await fetch(url, { headers: account })).json()) as {
      readonly Commits: readonly { readonly Commit: string }[]
    }
    return Commits[0]?.Commit ?? ''
  }
} finally {
  await rm(directory, { recursive: true })
}

function slice(paths: readonly string[], round: number): readonly string[] {
  return paths.slice(round * coldFiles, (round + 1) * coldFiles)
}

function row(what: string, figure: string, ratio = Number.NaN) {
  return {
    what: `${what}: CPU of a response that is not of what is live, against one that is`,
    figure,
    measured: `${ratio.toFixed(2)}x`,
  }
}
