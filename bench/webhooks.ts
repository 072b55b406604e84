/**
 * Deliveries from the outbox (SQLite, signed, recorded with a flush) to a receiver in another process,
 * against a loop that posts the same bodies and does nothing else; and what an endpoint that never
 * answers does to the others.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import http from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { NodeWebhookSender } from '../src/adapters/node-http/node-webhook-sender.ts'
import { SqlPublicationStore } from '../src/adapters/sql/content/sql-publication-store.ts'
import { openSqliteDatabase } from '../src/adapters/sql/sqlite/sqlite-database.ts'
import { SqlWebhookOutbox } from '../src/adapters/sql/webhooks/sql-webhook-outbox.ts'
import { SqlWebhookStore } from '../src/adapters/sql/webhooks/sql-webhook-store.ts'
import { createDeliver } from '../src/domain/webhooks/deliver.ts'
import { openDispatcher } from '../src/domain/webhooks/dispatcher.ts'
import type { FeedEntry, NewFeedEntry } from '../src/ports/records/feed.ts'
import type { WebhookRecord } from '../src/ports/webhooks/webhook-store.ts'
import { compare, median, percentile, report } from './harness.ts'

const rounds = Number(process.env['ROUNDS'] ?? 9)
const eventCount = 4_000
const groupSize = 100
const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'

const eventOf = (place: number): NewFeedEntry => ({
  at: new Date(),
  event: 'asset.created',
  zone: 'acme',
  path: `acme/v1/logos/${place}.svg`,
  commitId: 'c'.repeat(40),
  data: {
    path: `clients/acme/v1/logos/${place}.svg`,
    size: 12_345,
    zone: 'acme',
    category: 'logos',
    contentType: 'image/svg+xml',
    checksum: 'a'.repeat(64),
    commit: 'c'.repeat(40),
  },
})

async function openHouse(directory: string) {
  const database = await openSqliteDatabase({ file: join(directory, `${crypto.randomUUID()}.db`) })
  const publications = new SqlPublicationStore(database)
  const store = new SqlWebhookStore(database)
  const outbox = new SqlWebhookOutbox(database)
  const listeners = new Set<(entries: readonly FeedEntry[]) => void>()
  const sender = new NodeWebhookSender({
    allowPrivate: true,
    monotonicMs: () => performance.now(),
  })
  const now = () => new Date()
  const send = createDeliver({ sender, now, random: Math.random, userAgent: 'Sedge/bench' })
  const countById = new Map<string, number>()
  const deliver: typeof send = async (webhook, delivery, signal) => {
    const outcome = await send(webhook, delivery, signal)
    countById.set(webhook.id, (countById.get(webhook.id) ?? 0) + 1)
    return outcome
  }
  const open = () =>
    openDispatcher({
      store,
      outbox,
      feed: {
        subscribe(listener) {
          listeners.add(listener)
          return { [Symbol.dispose]: () => void listeners.delete(listener) }
        },
      },
      deliver,
      openWebhook: ({ id, url, ordered }) => ({
        id,
        url,
        ordered,
        secret,
        previousSecret: undefined,
      }),
      now,
      log: { warn: (message, facts) => console.error(message, facts) },
      graceMs: 100,
    })
  return {
    open,
    async add(id: string, url: string, ordered = true) {
      const webhook: WebhookRecord = {
        id,
        url,
        events: ['*'],
        zones: undefined,
        ordered,
        sealedSecret: '',
        secretLastFour: '',
        previousSecret: undefined,
        active: true,
        switchedOff: undefined,
        failingSince: undefined,
        createdBy: 'bench',
        createdAt: now(),
      }
      const audit = { at: now(), action: '', actor: '', target: '', meta: {} }
      const nobody = { ip: undefined, userAgent: undefined, requestId: undefined }
      await store.add(webhook, { limit: 25, audit: { ...audit, ...nobody } })
    },
    async publish(count: number) {
      for (let done = 0; done < count; done += groupSize) {
        const feed = Array.from({ length: groupSize }, (_, place) => eventOf(done + place))
        const entries = await publications.publish([{ feed }])
        for (const listener of listeners) listener(entries)
      }
    },
    /** Resolves once each of these was sent so many. */
    async sent(count: number, ...ids: readonly string[]) {
      for (const id of ids) while ((countById.get(id) ?? 0) < count) await Bun.sleep(1)
    },
    /** Resolves once that is recorded, too. */
    async recorded(...ids: readonly string[]) {
      for (const id of ids) while ((await outbox.nextDueAt(id)) !== undefined) await Bun.sleep(5)
    },
    async [Symbol.asyncDispose]() {
      await sender[Symbol.asyncDispose]()
      await database[Symbol.asyncDispose]()
    },
  }
}

interface Endpoints {
  readonly url: string
  readonly count: number
  readonly ordered: boolean
}

const cpuSeconds = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1e6
}

/** What was published before is delivered, recorded and all; answers deliveries a second. */
async function deliverRate(directory: string, { url, count, ordered }: Endpoints) {
  await using house = await openHouse(directory)
  const ids = Array.from({ length: count }, (_, place) => `w${place}`)
  for (const id of ids) await house.add(id, url, ordered)
  await house.publish(eventCount / count)
  const [startMs, startCpu] = [performance.now(), cpuSeconds()]
  const dispatcher = await house.open()
  await house.sent(eventCount / count, ...ids)
  await house.recorded(...ids)
  const perSecond = eventCount / ((performance.now() - startMs) / 1000)
  const perCpuSecond = eventCount / (cpuSeconds() - startCpu)
  await dispatcher[Symbol.asyncDispose]()
  return { perSecond, perCpuSecond }
}

/** The same bodies, one after another on one connection; nothing is read, signed or recorded. */
async function bareRate(url: string): Promise<number> {
  const agent = new http.Agent({ keepAlive: true })
  const body = JSON.stringify({ event: 'asset.created', timestamp: '', data: eventOf(1).data })
  const post = () =>
    new Promise<void>((resolve, reject) => {
      const request = http.request(url, { method: 'POST', agent }, (response) => {
        response.on('data', () => {}).on('end', resolve)
      })
      request.on('error', reject)
      request.end(body)
    })
  const start = performance.now()
  for (let place = 0; place < eventCount; place += 1) await post()
  agent.destroy()
  return eventCount / ((performance.now() - start) / 1000)
}

/** How long from a publication until `well` has taken all of it, in ms; two others are told of it too. */
async function latency(directory: string, url: string, othersUrl: string): Promise<number> {
  await using house = await openHouse(directory)
  await house.add('well', url)
  await house.add('other', othersUrl)
  await house.add('another', othersUrl, false)
  await house.publish(groupSize)
  const dispatcher = await house.open()
  await house.recorded('well')
  const times: number[] = []
  for (let round = 1; round <= 30; round += 1) {
    const start = performance.now()
    await house.publish(groupSize)
    await house.sent(groupSize * (round + 1), 'well')
    times.push(performance.now() - start)
  }
  await dispatcher[Symbol.asyncDispose]()
  return median(times)
}

async function main(directory: string): Promise<void> {
  const child = Bun.spawn(
    [process.execPath, '--no-orphans', join(import.meta.dir, 'webhook-receiver.ts')],
    { stdout: 'pipe' },
  )
  const { value } = await child.stdout.getReader().read()
  const url = new TextDecoder().decode(value).trim()
  using silent = Bun.listen({ hostname: '127.0.0.1', port: 0, socket: { data() {} } })
  const dead = `http://127.0.0.1:${silent.port}/`

  const rates = { ordered: [] as number[], unordered: [] as number[], cpu: [] as number[] }
  const many: number[] = []
  const ratio = await compare({
    title: `${eventCount} deliveries to one endpoint in order (deliveries/s)`,
    ours: {
      name: 'sedge, in order',
      async run() {
        const rate = await deliverRate(directory, { url, count: 1, ordered: true })
        rates.ordered.push(rate.perSecond)
        rates.cpu.push(rate.perCpuSecond)
        return rate.perSecond
      },
    },
    peers: [
      {
        name: 'sedge, in any order',
        async run() {
          const rate = await deliverRate(directory, { url, count: 1, ordered: false })
          rates.unordered.push(rate.perSecond)
          return rate.perSecond
        },
      },
      {
        name: 'sedge, 20 endpoints in order',
        async run() {
          const rate = await deliverRate(directory, { url, count: 20, ordered: true })
          many.push(rate.perSecond)
          return rate.perSecond
        },
      },
      { name: 'node:http alone, nothing kept', run: () => bareRate(url) },
    ],
    rounds,
  })

  const beside = await compare({
    title: `${groupSize} events published and taken by one endpoint of three (ms)`,
    ours: {
      name: 'beside two that never answer',
      run: () => latency(directory, url, dead),
    },
    peers: [{ name: 'beside two that answer', run: () => latency(directory, url, url) }],
    rounds: 7,
  })
  child.kill()

  const rounded = (rate: number) => Math.round(rate).toLocaleString('en-US')
  await report('webhooks', [
    {
      what: 'deliveries to a local receiver, in order, one core',
      figure: '≥ 1,500/s',
      measured: `${rounded(median(rates.cpu))} a CPU second; by the clock ${rounded(median(rates.ordered))}/s, best round ${rounded(percentile(rates.ordered, 0.999))}/s`,
    },
    {
      what: 'the same against bare requests that keep nothing',
      figure: '—',
      measured: `${(ratio.get('node:http alone, nothing kept') ?? Number.NaN).toFixed(2)}x`,
    },
    { what: 'in any order', figure: '—', measured: `${rounded(median(rates.unordered))}/s` },
    { what: '20 endpoints together', figure: '—', measured: `${rounded(median(many))}/s` },
    {
      what: 'time until an endpoint has what was published, beside two dead ones against two live ones',
      figure: '≤ 1x',
      measured: `${(beside.get('beside two that answer') ?? Number.NaN).toFixed(2)}x`,
    },
  ])
}

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-webhooks-'))
try {
  await main(directory)
} finally {
  await rm(directory, { recursive: true, force: true })
}
