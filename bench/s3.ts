/**
 * The zones as buckets against versitygw with files on the same disk: a thousand icons by rclone as it comes,
 * and signed reads by what they cost the server's processors.
 */
import { cp, mkdir, readdir } from 'node:fs/promises'
import { join } from 'node:path'

import { type S3Credentials, signRequest } from '../src/adapters/s3/sign-request.ts'
import { mapConcurrently } from '../src/lib/async/map-concurrently.ts'
import { s3KeyFrom } from '../test/support/s3-client.ts'
import { startS3 } from '../test/support/s3-server.ts'
import { startService, temporaryDirectory } from '../test/support/service-process.ts'
import { worldOf } from '../test/support/world.ts'
import { asInProduction, compare, type Contender, median, report, type Row } from './harness.ts'
import { lucideIcons } from './lucide.ts'
import { cpuSeconds, untilIdle } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 5)
const iconCount = 1000
const bucket = 'bench'
const region = 'us-east-1'

/** A server of S3, as each side is measured. */
interface Server {
  readonly name: string
  readonly endpoint: string
  readonly pid: number
  readonly credentials: S3Credentials
}

await using undo = new AsyncDisposableStack()
const directory = undo.use(await temporaryDirectory()).path

async function startOurs(): Promise<Server> {
  const service = undo.use(
    await startService({ dataDirectory: join(directory, 'data'), environment: asInProduction }),
  )
  await worldOf(service).zone(bucket)
  const send = (path: string, init: RequestInit) => fetch(`${service.url}${path}`, init)
  const credentials = await s3KeyFrom(send)
  return { name: 'Sedge', endpoint: `${service.url}/s3`, pid: service.pid, credentials }
}

async function startPeer(): Promise<Server> {
  const { port, pid, credentials, files } = undo.use(await startS3())
  await mkdir(join(files, bucket))
  return { name: 'versitygw', endpoint: `http://127.0.0.1:${port}`, pid, credentials }
}

const [ours, peer] = [await startOurs(), await startPeer()]

async function copyIcons(): Promise<string> {
  const icons = join(directory, 'icons')
  const names = (await readdir(lucideIcons)).filter((name) => name.endsWith('.svg')).toSorted()
  await mkdir(icons)
  for (const name of names.slice(0, iconCount)) await cp(join(lucideIcons, name), join(icons, name))
  return icons
}

/** `rclone copy` with nothing set but where it goes; icons a second, its start included. */
const byRclone = ({ name, endpoint, credentials }: Server, icons: string): Contender => ({
  name,
  async run(round) {
    const start = performance.now()
    const child = Bun.spawn(['rclone', 'copy', '-q', icons, `to:${bucket}/icons-${round}`], {
      env: {
        PATH: process.env['PATH'] ?? '',
        HOME: directory,
        RCLONE_CONFIG_TO_TYPE: 's3',
        RCLONE_CONFIG_TO_PROVIDER: 'Other',
        RCLONE_CONFIG_TO_ENDPOINT: endpoint,
        RCLONE_CONFIG_TO_REGION: region,
        RCLONE_CONFIG_TO_ACCESS_KEY_ID: credentials.accessKeyId,
        RCLONE_CONFIG_TO_SECRET_ACCESS_KEY: credentials.secretAccessKey,
      },
      stdio: ['ignore', 'inherit', 'inherit'],
    })
    if ((await child.exited) !== 0) throw new Error(`rclone failed with ${name}`)
    return iconCount / ((performance.now() - start) / 1000)
  },
})

async function request(server: Server, key: string, body?: Uint8Array<ArrayBuffer>): Promise<void> {
  const url = new URL(`${server.endpoint}/${bucket}/${key}`)
  const method = body ? 'PUT' : 'GET'
  const unsigned = { method, url, headers: {}, bodySha256: 'UNSIGNED-PAYLOAD' }
  const { credentials } = server
  const headers = signRequest(unsigned, { credentials, region, now: new Date() })
  const response = await fetch(url, { method, headers, ...(body && { body }) })
  const content = await response.bytes()
  if (!response.ok) throw new Error(new TextDecoder().decode(content))
}

/** Signed reads of one object, sixteen at once; reads for each second of the server's processors. */
const byReads = (server: Server, key: string, count: number): Contender => ({
  name: server.name,
  async run() {
    const before = await cpuSeconds(server.pid)
    await mapConcurrently(Array(count).fill(key), 16, (each: string) => request(server, each))
    return count / ((await cpuSeconds(server.pid)) - before)
  },
})

async function compareReads(what: string, bytes: number, count: number): Promise<Row> {
  const key = `reads/${bytes}.bin`
  const body = crypto.getRandomValues(new Uint8Array(Math.min(bytes, 65_536)))
  const content = new Uint8Array(bytes).map((_, place) => body[place % body.length] ?? 0)
  for (const server of [ours, peer]) await request(server, key, content)
  // What was copied before is looked at for a while.
  await untilIdle(ours.pid)
  const reads = byReads(ours, key, count)
  await reads.run(0)
  const rates: number[] = []
  const measured: Contender = {
    name: ours.name,
    async run(round) {
      const rate = await reads.run(round)
      rates.push(rate)
      return rate
    },
  }
  const ratios = await compare({
    title: `GET of ${what} (requests per CPU-second)`,
    ours: measured,
    peers: [byReads(peer, key, count)],
    rounds,
  })
  return {
    what: `GET of ${what}, signed, requests per CPU-second against versitygw`,
    figure: '≥ 2x',
    measured: `${ratios.get(peer.name)?.toFixed(2)}x (${median(rates).toFixed(0)})`,
  }
}

const icons = await copyIcons()
const copied: number[] = []
const byOurs = byRclone(ours, icons)
const ratios = await compare({
  title: `rclone copy of ${iconCount} icons (files/s)`,
  ours: {
    name: ours.name,
    async run(round) {
      const rate = await byOurs.run(round)
      copied.push(rate)
      return rate
    },
  },
  peers: [byRclone(peer, icons)],
  rounds,
})
await report('s3', [
  {
    what: `\`rclone copy\` of ${iconCount} icons against versitygw (posix), its start included`,
    figure: '≥ 1.0x',
    measured: `${ratios.get(peer.name)?.toFixed(2)}x (${median(copied).toFixed(0)} files/s)`,
  },
  await compareReads('10 KB', 10_240, 6000),
  await compareReads('1 MB', 2 ** 20, 1000),
])
