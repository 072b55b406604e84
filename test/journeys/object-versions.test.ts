import { expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'

import fc from 'fast-check'

import { openGitContentStore } from '../../src/adapters/git/git-content-store.ts'
import { MemoryBlobStore } from '../../src/adapters/memory/content/memory-blob-store.ts'
import {
  SqlEarlierVersions,
  SqlObjectVersions,
} from '../../src/adapters/sql/versions/sql-object-versions.ts'
import { SqlPublicationStore } from '../../src/adapters/sql/content/sql-publication-store.ts'
import { SqlDomainStore } from '../../src/adapters/sql/domains/sql-domain-store.ts'
import { openSqliteDatabase } from '../../src/adapters/sql/sqlite/sqlite-database.ts'
import type { Actor } from '../../src/domain/access/actor.ts'
import { createCatalog } from '../../src/domain/catalog/catalog.ts'
import { markerBytes } from '../../src/domain/content/directory-marker.ts'
import { createFeed } from '../../src/domain/feed.ts'
import { makeEarlierVersions } from '../../src/domain/publishing/earlier-versions.ts'
import { createPublisher } from '../../src/domain/publishing/publisher.ts'
import type { Change } from '../../src/ports/content/content-store.ts'
import type { ObjectVersion } from '../../src/ports/records/object-version.ts'
import { runGit } from '../support/git-client.ts'
import { temporaryDirectory } from '../support/service-process.ts'

const actor: Actor = {
  credentialId: 'access-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: 'test',
  requestId: 'request-1',
}

/** Few paths, so that they meet; `.keep` with a line feed makes its directory an object. */
const paths = ['a', 'b/c', 'b/😀', 'ﬁ', 'b/.keep', 'd/e/.keep'].flatMap((path) =>
  ['acme', 'beta'].map((zone) => `clients/${zone}/v1/${path}`),
)
const step = fc.oneof(
  { weight: 12, arbitrary: fc.tuple(fc.constant('put' as const), fc.constantFrom(...paths)) },
  { weight: 3, arbitrary: fc.tuple(fc.constant('delete' as const), fc.constantFrom(...paths)) },
)
const commitArbitrary = fc.oneof(
  { weight: 12, arbitrary: fc.array(step, { minLength: 1, maxLength: 3 }) },
  { weight: 1, arbitrary: fc.constant([['delete', 'clients/beta'] as const]) },
)

async function openWorld(directory: string, opening: AsyncDisposableStack) {
  const blobs = new MemoryBlobStore()
  await mkdir(directory, { recursive: true })
  const repository = join(directory, 'repository.git')
  const now = () => new Date()
  const content = opening.use(
    await openGitContentStore({
      directory: repository,
      blobs,
      now,
      onWarning: () => {},
      onFatal: () => {},
    }),
  )
  const database = opening.use(await openSqliteDatabase({ file: join(directory, 'sedge.db') }))
  const store = new SqlPublicationStore(database)
  const catalog = createCatalog({ schedule: (slice) => queueMicrotask(slice), runId: 'test' })
  const feed = createFeed({ store, onSubscriberFault: () => {} })
  const domains = new SqlDomainStore(database)
  const log = { warn: () => {} }
  const publisher = createPublisher({ content, blobs, store, domains, catalog, feed, now, log })
  await publisher.start()
  return { blobs, content, database, store, catalog, publisher, repository }
}

type World = Awaited<ReturnType<typeof openWorld>>

async function commit(
  { blobs, publisher }: World,
  steps: readonly (readonly [Change['kind'], string])[],
) {
  const changes: Change[] = []
  for (const [kind, path] of steps) {
    if (kind === 'delete') {
      changes.push({ kind, path })
      continue
    }
    const isMarker = path.endsWith('.keep')
    await using incoming = await blobs.receive(
      isMarker ? markerBytes : new TextEncoder().encode(crypto.randomUUID()),
    )
    changes.push({ kind: 'put', path, blob: await incoming.keep() })
  }
  await publisher.commit(
    { action: 'test', target: 'test', subject: 'Change', actor },
    async () => changes,
  )
}

const listed = async ({ database }: World): Promise<readonly ObjectVersion[]> =>
  await new SqlObjectVersions(database).list({ from: '', limit: 100_000 })

interface Known {
  readonly path: string
  readonly commitId: string
  readonly isStored: boolean
}

const knownOf = ({ path, commitId, content }: ObjectVersion): Known => ({
  path,
  commitId,
  isStored: content !== undefined,
})

/** What git itself says, without anything of the service. */
async function fromGit(repository: string): Promise<readonly Known[]> {
  const options = ['--reverse', '--raw', '--no-abbrev', '--no-renames', '--format=@%H', 'main']
  const log = await runGit(repository, '-c', 'core.quotePath=false', 'log', ...options)
  const empty = (await runGit(repository, 'hash-object', '-t', 'blob', '/dev/null')).trim()
  const present = new Set<string>()
  let versions: Known[] = []
  for (const text of log.split('\n@')) {
    const [commitId = '', ...lines] = text.replace(/^@/u, '').split('\n')
    const changes = lines.filter((line) => line.startsWith(':'))
    versions.push(...changes.flatMap((line) => versionOf(line, commitId, { present, empty })))
    const zones = new Set([...present].map(zoneOf))
    versions = versions.filter(({ path }) => zones.has(zoneOf(path)))
  }
  return versions
    .toReversed()
    .toSorted((one, other) => Buffer.compare(Buffer.from(one.path), Buffer.from(other.path)))
}

interface Before {
  readonly present: Set<string>
  readonly empty: string
}

function versionOf(line: string, commitId: string, { present, empty }: Before): Known[] {
  const [modes = '', file = ''] = line.split('\t')
  const isStored = !modes.endsWith(' D') && modes.split(' ')[3] !== empty
  const path = file.slice('clients/'.length).replace(/\/\.keep$/u, '/')
  if (!isStored && !present.delete(path)) return []
  if (isStored) present.add(path)
  return [{ path, commitId, isStored }]
}

const zoneOf = (path: string): string => path.slice(0, path.indexOf('/'))

test('versions are what git says, as published, rebuilt, and made of what was there before', async () => {
  await using directory = await temporaryDirectory()
  const [plans = []] = fc.sample(fc.array(commitArbitrary, { minLength: 80, maxLength: 80 }), {
    numRuns: 1,
    seed: 18,
  })
  await using opening = new AsyncDisposableStack()
  const world = await openWorld(directory.path, opening)
  await commit(world, [['put', 'clients/acme/v1/base']])
  for (const steps of plans) await commit(world, steps)
  const expected = await fromGit(world.repository)
  const published = await listed(world)
  expect(expected.length).toBeGreaterThan(20)
  expect(published.map(knownOf)).toEqual([...expected])
  const markers = await world.store.markers()
  expect(markers.map(({ path }) => path)).toEqual(newest(expected).filter((p) => p.endsWith('/')))

  await world.publisher.rebuild()
  expect(await listed(world)).toEqual(published)
  expect(await world.store.markers()).toEqual(markers)

  await forgetVersions(world)
  const { content, database } = world
  const earlier = { content, store: new SqlEarlierVersions(database) }
  await commit(world, [['put', 'clients/acme/v1/later']])
  await makeEarlierVersions({ ...earlier, signal: AbortSignal.abort() })
  await makeEarlierVersions({ ...earlier, signal: new AbortController().signal })

  expect((await listed(world)).map(knownOf)).toEqual([...(await fromGit(world.repository))])
  expect(await earlier.store.missing()).toBeUndefined()
}, 60_000)

const newest = (versions: readonly Known[]): readonly string[] =>
  versions
    .filter(({ path }, place) => versions[place - 1]?.path !== path)
    .filter(({ isStored }) => isStored)
    .map(({ path }) => path)

/** As a database is that a version made which knew of none. */
async function forgetVersions({ database, content }: World): Promise<void> {
  const until_commit = (await content.head()) ?? ''
  await database.transaction(async (transaction) => {
    await transaction.deleteFrom('object_versions').execute()
    await transaction.updateTable('position').set({ version_number: 0 }).execute()
    const row = { until_commit, done_commit: null, next_rank: 2 ** 52 }
    await transaction.insertInto('earlier_commits').values(row).execute()
  })
}
