/**
 * PUTs of 1 KB on PostgreSQL: what they publish, many in one transaction as the publisher writes what
 * was committed together, against one transaction each; then whole PUTs of many clients, with blobs in
 * an S3 store, against a service that has files.
 */
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openPostgresDatabase } from '../src/adapters/sql/postgres/postgres-database.ts'
import { SqlPublicationStore } from '../src/adapters/sql/content/sql-publication-store.ts'
import type { Publication } from '../src/ports/content/publication-store.ts'
import { createRandom } from '../test/support/random.ts'
import { freePort } from '../test/support/free-port.ts'
import { have, postgres, s3Server } from '../test/support/needs.ts'
import { type PostgresServer, startPostgres } from '../test/support/postgres-server.ts'
import { type BlobServer, startS3 } from '../test/support/s3-server.ts'
import {
  access,
  account,
  type ServiceProcess,
  startService,
} from '../test/support/service-process.ts'
import { asInProduction, compare, median, report, type Row } from './harness.ts'

const rounds = Number(process.env['ROUNDS'] ?? 9)
const clientCount = 64
const random = createRandom(1)
/** One directory with all files would measure how long it takes to write that. */
const zones = ['acme', 'birch', 'cedar', 'dogwood', 'elm', 'fir', 'ginkgo', 'hazel'] as const
/** As they come: no sizes that suit a statement. */
const groupSizes = [15, 61, 250] as const

async function benchTransactions(server: PostgresServer): Promise<readonly Row[]> {
  await using database = await openPostgresDatabase({ url: await server.createDatabase() })
  const store = new SqlPublicationStore(database)
  const rates = new Map<number, number[]>()
  async function writeInGroups(size: number, count: number): Promise<number> {
    const started = performance.now()
    for (let done = 0; done < count; done += size)
      await store.publish(Array.from({ length: size }, () => nextPublication()))
    const rate = perSecond(count, started)
    rates.set(size, [...(rates.get(size) ?? []), rate])
    return rate
  }
  const rows: Row[] = []
  for (const size of groupSizes) {
    const ratios = await compare({
      title: `what PUTs of 1 KB publish, ${size} in a transaction (PUTs/s)`,
      ours: { name: `${size} a transaction`, run: () => writeInGroups(size, size * 20) },
      peers: [{ name: 'one a transaction', run: () => writeInGroups(1, 100) }],
      rounds,
    })
    rows.push({
      what: `metadata of PUTs, ${size} in a transaction`,
      figure: '≥ 2,000/s, ≥ 5x one transaction each',
      measured: `${rounded(rates.get(size))}/s, ${times(ratios, 'one a transaction')}`,
    })
  }
  rows.push({
    what: 'the same, one transaction each',
    figure: '',
    measured: `${rounded(rates.get(1))}/s`,
  })
  return rows
}

async function benchService(
  server: PostgresServer,
  s3: BlobServer,
  directory: string,
): Promise<readonly Row[]> {
  const onServers = async (name: string, environment: Readonly<Record<string, string>> = {}) =>
    await startService({
      dataDirectory: join(directory, name),
      environment: {
        DATABASE_URL: await server.createDatabase(),
        BLOB_STORE: (await s3.createBucket()).url(),
        S3_ACCESS_KEY_ID: s3.credentials.accessKeyId,
        S3_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
        ...asInProduction,
        ...environment,
      },
    })
  const port = await freePort()
  await using elsewhere = await onServers('elsewhere')
  await using node = await onServers('node', {
    PORT: String(port),
    CLUSTER_ADDRESS: `http://127.0.0.1:${port}`,
    WEBHOOK_SECRET_KEY: 'bench-webhook-secret-key-0123456789',
  })
  await using embedded = await startService({
    dataDirectory: join(directory, 'embedded'),
    environment: asInProduction,
  })
  for (const each of [elsewhere, node, embedded]) await createZones(each)
  const rates: number[] = []
  const ratios = await compare({
    title: `${clientCount} clients PUT 1 KB, the whole service (writes/s)`,
    ours: {
      name: 'PostgreSQL and S3',
      run: async () => {
        const rate = await putFrom(elsewhere, clientCount)
        rates.push(rate)
        return rate
      },
    },
    peers: [
      { name: 'the same, one client', run: () => putFrom(elsewhere, 1) },
      { name: 'the same, a node of a cluster', run: () => putFrom(node, clientCount) },
      { name: 'SQLite and files', run: () => putFrom(embedded, clientCount) },
    ],
    rounds,
  })
  return [
    {
      what: `${clientCount} clients PUT 1 KB to a service on PostgreSQL and S3 (versitygw)`,
      figure: '',
      measured: `${rounded(rates)}/s, ${times(ratios, 'the same, one client')} one client, ${times(ratios, 'SQLite and files')} of SQLite and files`,
    },
    {
      what: 'the same to a service that is no node of a cluster, against the node that writes',
      figure: '',
      measured: times(ratios, 'the same, a node of a cluster'),
    },
  ]
}

async function createZones({ url }: ServiceProcess): Promise<void> {
  for (const Name of zones) {
    const body = JSON.stringify({ Name })
    const response = await fetch(`${url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body,
    })
    await response.arrayBuffer()
  }
}

async function putFrom({ url }: ServiceProcess, clients: number): Promise<number> {
  const each = clients === 1 ? 20 : 10
  const started = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async () => {
      for (let index = 0; index < each; index += 1) await put(url)
    }),
  )
  return perSecond(clients * each, started)
}

async function put(url: string): Promise<void> {
  const body = crypto.getRandomValues(new Uint8Array(1024))
  const directory = `${random.pick(zones)}/v1/${random.pick(['icons', 'logos', 'titles'])}`
  const address = `${url}/api/storage/${directory}/${crypto.randomUUID()}.png`
  const response = await fetch(address, { method: 'PUT', headers: access, body })
  await response.arrayBuffer()
  if (response.status !== 201) throw new Error(`PUT was answered ${response.status}`)
}

/** What the publisher makes of a PUT of a new file. */
function nextPublication(): Publication {
  const name = `${crypto.randomUUID()}.png`
  const path = `acme/v1/icons/${name}`
  const sha256 = new Bun.CryptoHasher('sha256').update(name).digest('hex')
  const commitId = sha256.slice(0, 40)
  const at = new Date()
  const place = { zone: 'acme', category: 'icons' }
  const contentType = 'image/png'
  return {
    commitId,
    assets: [
      {
        ...place,
        path,
        name,
        format: 'png',
        sizeBytes: 1024,
        sha256,
        contentType,
        createdAt: at,
        changedAt: at,
        commitId,
      },
    ],
    audit: [
      {
        at,
        action: 'storage.put',
        actor: 'access-key',
        target: `clients/${path}`,
        ip: '192.0.2.1',
        userAgent: 'bench/1',
        requestId: crypto.randomUUID(),
        meta: { size: 1024, checksum: sha256 },
      },
    ],
    feed: [
      {
        at,
        event: 'asset.created',
        zone: 'acme',
        path,
        commitId,
        data: {
          path: `clients/${path}`,
          size: 1024,
          ...place,
          contentType,
          sha256,
          commit: commitId,
        },
      },
    ],
  }
}

const perSecond = (count: number, started: number): number =>
  (count * 1000) / (performance.now() - started)

const rounded = (values: readonly number[] = []): string =>
  Math.round(median(values)).toLocaleString('en-US')

const times = (ratios: ReadonlyMap<string, number>, name: string): string =>
  `${(ratios.get(name) ?? Number.NaN).toFixed(2)}x`

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-postgres-'))
try {
  if (have('bench/postgres-writes', postgres)) {
    await using server = await startPostgres()
    const rows = [...(await benchTransactions(server))]
    if (have('whole PUTs', s3Server)) {
      await using s3 = await startS3()
      rows.push(...(await benchService(server, s3, directory)))
    }
    await report('postgres-writes', rows)
  }
} finally {
  await rm(directory, { recursive: true, force: true })
}
