/**
 * What a quiet tenant's requests take while another one sits at every limit that it has and goes on asking, beside
 * what they take while nobody else asks, in turns. A server that does nothing, asked meanwhile, says what of that is
 * the machine's.
 */
import { join } from 'node:path'
import sharp from 'sharp'

import { scopes } from '../src/domain/access/tokens/scopes.ts'
import { zoneQuotaNames } from '../src/lib/zone-quota-names.ts'
import {
  access,
  account,
  startService,
  temporaryDirectory,
} from '../test/support/service-process.ts'
import { asInProduction, median, report, type Row } from './harness.ts'
import { LineProcess } from './images/line-process.ts'
import { cpuSeconds } from './process-usage.ts'

const rounds = Number(process.env['ROUNDS'] ?? 7)
const requests = Number(process.env['REQUESTS'] ?? 300)
/** Of the tenant that is at its limits, all kinds together. */
const perSecond = Number(process.env['RATE'] ?? 100)
const fileBytes = 10_240

interface Latency {
  readonly p50: number
  readonly p99: number
}

await using directory = await temporaryDirectory()
await using service = await startService({
  dataDirectory: directory.path,
  environment: {
    ...asInProduction,
    IDLE_WORK: 'none',
    TRANSFORMS_PER_MINUTE: '1000000',
    CHATS_PER_MINUTE: '1000000',
    CHATS_PER_DAY: '1000000',
  },
})
const words = [process.execPath, join(import.meta.dir, 'bare-server.ts'), String(fileBytes)]
await using bare = new LineProcess(words)
const file = 'x'.repeat(fileBytes)
for (const zone of ['quiet', 'loud']) {
  await send('core/zones', {
    method: 'POST',
    headers: account,
    body: JSON.stringify({ Name: zone }),
  })
  await send(`storage/${zone}/v1/a.jpg`, { method: 'PUT', headers: access, body: await photo() })
  await send(`storage/${zone}/v1/a.bin`, { method: 'PUT', headers: access, body: file })
}
/** What the requests below come up against; what nobody asks for here is left unbounded. */
const quotas = zoneQuotaNames.slice(0, zoneQuotaNames.indexOf('chats') + 1)
await send('core/zones/loud/quotas', {
  method: 'PUT',
  headers: account,
  body: JSON.stringify({ Quotas: Object.fromEntries(quotas.map((name) => [name, 0])) }),
})
const bearer = { Authorization: `Bearer ${await tokenOf('loud')}` }

const quiet = [
  ask('a stored file', '/quiet/v1/a.bin'),
  ask('a variant that is there', '/api/transform?url=/quiet/v1/a.jpg&w=200&format=webp'),
  ask('an operation', '/api/assets?per_page=5&project=quiet', access),
  {
    ...ask('a write of 10 KB', '/api/storage/quiet/v1/b.bin', access),
    status: 201,
    method: 'PUT',
    body: file,
  },
  { ...ask('a server that does nothing', ''), url: await bare.next() },
]
const loud = [
  { ...ask('file', '/loud/v1/a.bin'), method: 'GET' },
  { ...ask('variant', '/api/transform?url=/loud/v1/a.jpg&format=webp&w=%d'), method: 'GET' },
  { ...ask('write', '/api/storage/loud/v1/%d.bin', bearer), method: 'PUT', body: file },
  { ...ask('purge', '/api/purge', bearer), method: 'POST', body: '{"urls":["/loud/v1/a.bin"]}' },
  { ...ask('chat', '/api/chat', bearer), method: 'POST', body: '{"message":"How many files?"}' },
]
await (await fetch(service.url + '/api/transform?url=/quiet/v1/a.jpg&w=200&format=webp')).bytes()
const program = (name: string) => [process.execPath, join(import.meta.dir, name)]
await using client = new LineProcess(program('small-responses-client.ts'))
await using crowd = new LineProcess(program('fairness-crowd.ts'))
const measured = new Map(
  quiet.map(({ name }) => [name, { idle: [] as Latency[], busy: [] as Latency[] }]),
)
let [seconds, loudSeconds, loudCpu] = [1, 0, 0]
let counts = ''
await measure('idle', { isKept: false })
for (let round = 0; round < rounds; round += 1) {
  const [before, startedAt] = [await cpuSeconds(service.pid), performance.now()]
  await measure('idle', { isKept: true })
  const idleCpu = (await cpuSeconds(service.pid)) - before
  seconds = Math.ceil((performance.now() - startedAt) / 1000) + 1
  const order = { asked: loud, perSecond, seconds }
  const crowding = crowd.ask(JSON.stringify(order))
  const cpuBefore = await cpuSeconds(service.pid)
  await measure('busy', { isKept: true })
  counts = await crowding
  loudCpu += (await cpuSeconds(service.pid)) - cpuBefore - idleCpu
  loudSeconds += seconds
}
console.log(`the other tenant, last round: ${counts}`)
await report('fairness', [...quiet.map(rowOf), costRow()])

function ask(name: string, path: string, headers: Readonly<Record<string, string>> = {}) {
  return { name, url: service.url + path, status: 200, headers }
}

async function measure(when: 'idle' | 'busy', { isKept }: { readonly isKept: boolean }) {
  const order = JSON.stringify({ asked: quiet, requests })
  const all: readonly Latency[] = JSON.parse(await client.ask(order))
  for (const [index, { name }] of quiet.entries()) {
    const latency = all[index]
    if (isKept && latency !== undefined) measured.get(name)?.[when].push(latency)
  }
}

function rowOf({ name }: { readonly name: string }): Row {
  const { idle = [], busy = [] } = measured.get(name) ?? {}
  const of = (all: readonly Latency[], which: keyof Latency) =>
    median(all.map((latency) => latency[which]))
  const ratio = (which: keyof Latency) =>
    median(busy.map((latency, round) => latency[which] / (idle[round]?.[which] ?? Number.NaN)))
  const [p99, was] = [of(busy, 'p99').toFixed(2), of(idle, 'p99').toFixed(2)]
  return {
    what: `${name}, while another tenant asks ${perSecond} times a second at every limit, against idle`,
    figure: 'p99 ≤ 1.5x',
    measured: `p99 ${ratio('p99').toFixed(2)}x (${p99} against ${was} ms), p50 ${ratio('p50').toFixed(2)}x`,
  }
}

function costRow(): Row {
  const each = (loudCpu * 1000) / (loudSeconds * perSecond)
  return {
    what: 'processor time of a request of the tenant at its limits',
    figure: '–',
    measured: `${each.toFixed(2)} ms`,
  }
}

async function photo(): Promise<Uint8Array<ArrayBuffer>> {
  const noise = { type: 'gaussian', mean: 128, sigma: 25 } as const
  const image = sharp({
    create: { width: 400, height: 300, channels: 3, background: '#246', noise },
  })
  return Uint8Array.from(await image.jpeg({ quality: 85 }).toBuffer())
}

async function tokenOf(zone: string): Promise<string> {
  const body = JSON.stringify({
    name: 'tenant',
    scopes: scopes.filter((scope) => scope !== 'edges:sync'),
    zones: [zone],
  })
  const response = await fetch(`${service.url}/api/tokens`, {
    method: 'POST',
    headers: account,
    body,
  })
  return ((await response.json()) as { readonly token: string }).token
}

async function send(path: string, init: RequestInit): Promise<void> {
  const response = await fetch(`${service.url}/api/${path}`, init)
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
}
