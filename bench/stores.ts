/**
 * The stores against the least that does the same durable work: publications against bare `bun:sqlite`
 * statements, blobs against bare system calls with the same flushes.
 */
import { Database as BunDatabase } from 'bun:sqlite'
import { mkdirSync } from 'node:fs'
import { mkdtemp, open, rename, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { openDiskBlobStore } from '../src/adapters/disk/disk-blob-store.ts'
import { SqlPublicationStore } from '../src/adapters/sql/content/sql-publication-store.ts'
import { openSqliteDatabase } from '../src/adapters/sql/sqlite/sqlite-database.ts'
import type { AssetRecord } from '../src/ports/records/asset.ts'
import type { Publication } from '../src/ports/content/publication-store.ts'
import { compare, median, report, type Row } from './harness.ts'

const directory = await mkdtemp(join(tmpdir(), 'sedge-bench-stores-'))
async function benchPublications(): Promise<Row[]> {
  await using database = await openSqliteDatabase({ file: join(directory, 'ours.sqlite') })
  const store = new SqlPublicationStore(database)
  using bare = openBare()
  const insertBare = bare.prepare(
    `insert or replace into assets values (${Array(11).fill('?').join(',')})`,
  )
  const writeBare = bare.transaction((assets: readonly AssetRecord[]) => {
    for (const asset of assets) insertBare.run(...bareRow(asset))
  })

  const groupRates: number[] = []
  const grouped = await compare({
    title: '32 publications of one asset each, with feed and audit, one flush (groups/s)',
    ours: {
      name: 'SqlPublicationStore',
      run: async (round) => {
        const rate = await timesPerSecond(100, async (index) => {
          await store.publish(publicationsOf(assetsFrom((round * 100 + index) * 32, 32)))
        })
        groupRates.push(rate)
        return rate
      },
    },
    peers: [
      {
        name: 'bun:sqlite, the asset rows alone',
        run: (round) =>
          timesPerSecond(100, async (index) =>
            writeBare(assetsFrom((round * 100 + index) * 32, 32)),
          ),
      },
    ],
    rounds: 7,
  })

  const rebuildRates: number[] = []
  const rebuilt = await compare({
    title: '50,000 assets in one publication (rows/s)',
    ours: {
      name: 'SqlPublicationStore',
      run: async () => {
        await store.forgetProjections()
        const assets = assetsFrom(0, 50_000)
        const rate = 50_000 * (await timesPerSecond(1, () => publishAll(store, assets)))
        rebuildRates.push(rate)
        return rate
      },
    },
    peers: [
      {
        name: 'bun:sqlite, one prepared statement a row',
        run: async () => {
          bare.run('delete from assets')
          const assets = assetsFrom(0, 50_000)
          return 50_000 * (await timesPerSecond(1, async () => writeBare(assets)))
        },
      },
    ],
    rounds: 5,
  })
  return [
    {
      what: '32 publications of one asset, durable',
      figure: '< 1 ms besides the flush',
      measured: `${(1000 / median(groupRates)).toFixed(2)} ms with it; ${ratio(grouped, 'bun:sqlite, the asset rows alone')} of bare asset rows`,
    },
    {
      what: '50,000 assets in one publication',
      figure: '>= 100,000 rows/s',
      measured: `${Math.round(median(rebuildRates)).toLocaleString('en-US')} rows/s; ${ratio(rebuilt, 'bun:sqlite, one prepared statement a row')} of bare statements`,
    },
    await benchReading(store),
  ]
}

async function benchReading(store: SqlPublicationStore): Promise<Row> {
  await publishAll(store, assetsFrom(0, 100_000))
  const durations: number[] = []
  for (let round = 0; round < 5; round += 1) {
    const started = performance.now()
    for await (const _ of store.assets());
    durations.push(performance.now() - started)
  }
  return {
    what: 'reading 100,000 assets',
    figure: 'a small part of the 3 s start',
    measured: `${Math.round(median(durations))} ms`,
  }
}

async function benchBlobs(): Promise<Row[]> {
  await using store = await openDiskBlobStore({ directory: join(directory, 'ours') })
  const bareDirectory = join(directory, 'bare')
  mkdirSync(bareDirectory)
  const rows: Row[] = []
  for (const writers of [1, 32]) {
    const ratios = await compare({
      title: `blobs of 10 KB, ${writers} at a time (blobs/s)`,
      ours: {
        name: 'DiskBlobStore',
        run: () =>
          concurrently(writers, async () => {
            await using incoming = await store.receive(randomBody())
            await incoming.keep()
          }),
      },
      peers: [
        {
          name: 'write, fdatasync, rename, fsync of one directory',
          run: () => concurrently(writers, () => keepBare(bareDirectory)),
        },
      ],
      rounds: 7,
    })
    rows.push({
      what: `blobs of 10 KB, ${writers} at a time`,
      figure: '-',
      measured: `${ratio(ratios, 'write, fdatasync, rename, fsync of one directory')} of bare system calls in one directory`,
    })
  }
  return rows
}

/** Eight slow bodies of 25 MB at once, as clients would send them. */
async function benchMemory(): Promise<Row> {
  await using store = await openDiskBlobStore({ directory: join(directory, 'large') })
  Bun.gc(true)
  const before = process.memoryUsage.rss()
  let peak = before
  const bodies = Array.from({ length: 8 }, async () => {
    let sent = 0
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        if (sent === 26_214_400) return controller.close()
        await Bun.sleep(0)
        peak = Math.max(peak, process.memoryUsage.rss())
        controller.enqueue(crypto.getRandomValues(new Uint8Array(65_536)))
        sent += 65_536
      },
    })
    await using incoming = await store.receive(body)
    await incoming.keep()
  })
  await Promise.all(bodies)
  return {
    what: 'memory while 8 bodies of 25 MB come in',
    figure: 'a few tens of MB',
    measured: `grows by ${Math.round((peak - before) / 2 ** 20)} MB`,
  }
}

async function keepBare(into: string): Promise<void> {
  const bytes = randomBody()
  const name = join(into, new Bun.CryptoHasher('sha256').update(bytes).digest('hex'))
  await using handle = await open(`${name}.new`, 'wx')
  await writeFile(handle, bytes)
  await handle.datasync()
  await rename(`${name}.new`, name)
  await using parent = await open(into, 'r')
  await parent.sync()
}

async function concurrently(writers: number, work: () => Promise<void>): Promise<number> {
  const each = Math.ceil(192 / writers)
  const started = performance.now()
  await Promise.all(
    Array.from({ length: writers }, async () => {
      for (let index = 0; index < each; index += 1) await work()
    }),
  )
  return (each * writers * 1000) / (performance.now() - started)
}

async function timesPerSecond(
  times: number,
  work: (index: number) => Promise<void>,
): Promise<number> {
  const started = performance.now()
  for (let index = 0; index < times; index += 1) await work(index)
  return (times * 1000) / (performance.now() - started)
}

function openBare(): BunDatabase {
  const bare = new BunDatabase(join(directory, 'bare.sqlite'))
  bare.run('pragma journal_mode = wal')
  bare.run('pragma synchronous = full')
  bare.run(
    `create table assets (path text primary key, zone text, category text, name text, format text,
     size_bytes, sha256 text, content_type text, created_at, changed_at, commit_id text) without rowid`,
  )
  return bare
}

const bareRow = (asset: AssetRecord) =>
  Object.values(asset).map((value: string | number | Date) =>
    value instanceof Date ? value.getTime() : value,
  )

const assetsFrom = (start: number, count: number): AssetRecord[] =>
  Array.from({ length: count }, (_, index) => {
    const name = `${String(start + index).padStart(8, '0')}.svg`
    return {
      path: `acme/v1/icons/${name}`,
      zone: 'acme',
      category: 'icons',
      name,
      format: 'svg',
      sizeBytes: index,
      sha256: 'a'.repeat(64),
      contentType: 'image/svg+xml',
      createdAt: new Date(0),
      changedAt: new Date(0),
      commitId: 'c'.repeat(40),
    }
  })

const publicationsOf = (assets: readonly AssetRecord[]): Publication[] =>
  assets.map((asset) => ({
    commitId: asset.commitId,
    assets: [asset],
    audit: [
      {
        at: new Date(0),
        action: 'file.put',
        actor: 'access-key',
        target: asset.path,
        ip: '192.0.2.1',
        userAgent: undefined,
        requestId: 'r',
        meta: { size: 1 },
      },
    ],
    feed: [
      {
        at: new Date(0),
        event: 'asset.created',
        zone: asset.zone,
        path: asset.path,
        commitId: asset.commitId,
        data: { Path: asset.path, Size: 1, Checksum: asset.sha256 },
      },
    ],
  }))

async function publishAll(
  store: SqlPublicationStore,
  assets: readonly AssetRecord[],
): Promise<void> {
  await store.publish([{ assets, feed: [] }])
}

const randomBody = () => crypto.getRandomValues(new Uint8Array(10_240))

const ratio = (ratios: ReadonlyMap<string, number>, peer: string) =>
  `${(ratios.get(peer) ?? Number.NaN).toFixed(2)}x`

try {
  await report('stores', [
    ...(await benchPublications()),
    ...(await benchBlobs()),
    await benchMemory(),
  ])
} finally {
  await rm(directory, { recursive: true })
}
