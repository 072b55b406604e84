/**
 * The service as a whole: how soon it answers with 100,000 files, how many catalogue pages it serves a
 * CPU-second, and what eight large uploads at once cost in memory. Each beside a peer in the same run:
 * for pages a bare Bun handler that only sends bytes of the same size.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type ImportedFile, importCommit } from '../test/support/import-commit.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
} from '../test/support/service-process.ts'
import { asInProduction, compare, median, report } from './harness.ts'
import { cpuSeconds, residentBytes, untilIdle } from './process-usage.ts'

const assetCount = Number(process.env['ASSETS'] ?? 100_000)
const zoneCount = 100
const rounds = Number(process.env['ROUNDS'] ?? 7)
const pagesPerRound = 2_000
/** What files mean is another process's to say, and takes longer than all that is measured here. */
const environment = { ...asInProduction, SEARCH_BY_NAME_ONLY: 'true' }
/** Half a minute after a start it is seen to files that nobody has looked at yet. */
const beforeLooksMs = 20_000

/** Made by git itself, so that the service finds a repository it has never seen. */
async function createRepository(dataDirectory: string): Promise<void> {
  const path = join(dataDirectory, 'repository.git')
  await (await startService({ dataDirectory, environment })).stop()
  await importCommit({ repository: path, files: files() })
}

function* files(): Generator<ImportedFile> {
  for (let index = 0; index < assetCount; index += 1) {
    const name = `${words[index % words.length]}-${words[(index * 7) % words.length]}-${index}.svg`
    const category = categories[index % categories.length]
    const path = `clients/zone-${index % zoneCount}/v1/${category}/${name}`
    yield { path, content: `asset ${index}` }
  }
}

const words = 'arrow badge camera door eagle flag garden house island jacket kite lamp moon'.split(
  ' ',
)
const categories = ['banners', 'github', 'icons', 'logos', 'titles']

async function firstResponseMs(dataDirectory: string) {
  const start = performance.now()
  const service = await startService({ dataDirectory, environment })
  const response = await fetch(`${service.url}/api/assets?per_page=50`, { headers: access })
  await response.arrayBuffer()
  return { service, ms: performance.now() - start }
}

async function pagesPerCpuSecond(
  service: { url: string; pid: number },
  path: (n: number) => string,
) {
  const before = await cpuSeconds(service.pid)
  await Promise.all(
    Array.from({ length: 8 }, async (_, client) => {
      for (let index = 0; index < pagesPerRound / 8; index += 1) {
        const response = await fetch(`${service.url}${path(client * 1000 + index)}`, {
          headers: { ...access, 'Accept-Encoding': 'identity' },
        })
        await response.arrayBuffer()
      }
    }),
  )
  return pagesPerRound / ((await cpuSeconds(service.pid)) - before)
}

async function uploadGrowth(service: ServiceProcess): Promise<number> {
  const body = new Uint8Array(25 * 2 ** 20)
  crypto.getRandomValues(body.subarray(0, 65_536))
  const send = (client: number) =>
    fetch(`${service.url}/api/storage/large/v1/banners/film-${client}.mp4`, {
      method: 'PUT',
      headers: access,
      body: body.with(0, client),
    }).then((response) => response.arrayBuffer())
  const zone = { method: 'POST', headers: account, body: '{"Name":"large"}' }
  await (await fetch(`${service.url}/api/core/zones`, zone)).arrayBuffer()
  await send(99)
  const before = await residentBytes(service.pid)
  let peak = before
  const uploads = Promise.all(Array.from({ length: 8 }, (_, client) => send(client)))
  const sampling = { isOn: true }
  const sampler = (async () => {
    while (sampling.isOn) {
      peak = Math.max(peak, await residentBytes(service.pid))
      await Bun.sleep(5)
    }
  })()
  await uploads
  sampling.isOn = false
  await sampler
  return peak - before
}

async function main(dataDirectory: string): Promise<void> {
  await createRepository(dataDirectory)
  const replay = await firstResponseMs(dataDirectory)
  await replay.service.stop()
  const starts: number[] = []
  for (let round = 0; round < 3; round += 1) {
    const { service, ms } = await firstResponseMs(dataDirectory)
    starts.push(ms)
    await service.stop()
  }
  await using service = await startService({ dataDirectory, environment })
  const page = await fetch(`${service.url}/api/assets?per_page=50`, { headers: access })
  const bytes = await page.bytes()
  await Promise.race([untilIdle(service.pid), Bun.sleep(beforeLooksMs)])
  const restBytes = await residentBytes(service.pid)
  const bare = Bun.spawn(
    [process.execPath, join(import.meta.dir, 'bare-server.ts'), String(bytes.length)],
    { stdout: 'pipe' },
  )
  const bareUrl = new TextDecoder().decode((await bare.stdout.getReader().read()).value).trim()
  const pages: number[] = []
  const ratios = await compare({
    title: 'catalogue pages of 50 assets (per CPU-second of the server)',
    ours: {
      name: 'sedge',
      run: async () => {
        const rate = await pagesPerCpuSecond(
          service,
          (n) => `/api/assets?per_page=50&page=${(n % 1999) + 1}`,
        )
        pages.push(rate)
        return rate
      },
    },
    peers: [
      {
        name: 'a bare handler, the same bytes',
        run: () => pagesPerCpuSecond({ url: bareUrl, pid: bare.pid }, () => '/'),
      },
    ],
    rounds,
  })
  bare.kill()
  const growth = await uploadGrowth(service)
  const mib = (size: number) => `${(size / 2 ** 20).toFixed(0)} MB`
  await report('service', [
    {
      what: `start with ${assetCount} files, to the first answer`,
      figure: '≤ 3 s',
      measured: `${(median(starts) / 1000).toFixed(2)} s`,
    },
    {
      what: 'the same, from a repository it has never seen (all blobs written and flushed)',
      figure: '',
      measured: `${(replay.ms / 1000).toFixed(1)} s`,
    },
    { what: 'memory after that start', figure: '≤ 350 MB', measured: mib(restBytes) },
    {
      what: 'catalogue pages of 50 assets per CPU-second',
      figure: '≥ 2,000',
      measured: `${median(pages).toFixed(0)}; ${(ratios.get('a bare handler, the same bytes') ?? 0).toFixed(2)}x a bare handler`,
    },
    {
      what: 'memory while 8 clients PUT 25 MB each',
      figure: 'grows ≤ 150 MB',
      measured: `+${mib(growth)}`,
    },
  ])
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-service-'))
try {
  await main(join(directory, 'data'))
} finally {
  await rm(directory, { recursive: true, force: true })
}
