import { expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import type { EarlierVersion } from '../../../ports/content/object-versions.ts'
import { SqlEarlierVersions, SqlObjectVersions } from './sql-object-versions.ts'
import { SqlPublicationStore } from '../content/sql-publication-store.ts'
import { openSqliteDatabase } from '../sqlite/sqlite-database.ts'

const earlier = (path: string, commitId: string, zoneCommitId = 'z1'): EarlierVersion => ({
  version: { path, commitId, committedAt: new Date(1), content: undefined },
  zoneCommitId,
})
const zoneOf = (name: string, commitId?: string) => ({
  name,
  createdAt: new Date(0),
  enabled: true,
  suspended: false,
  ...(commitId !== undefined && { commitId }),
})

test('what was before is older than all that was published, and of zones that are still there', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-earlier-'))
  await using opening = new AsyncDisposableStack()
  opening.defer(() => rm(directory, { recursive: true }))
  const database = opening.use(await openSqliteDatabase({ file: join(directory, 'sedge.db') }))
  const store = new SqlEarlierVersions(database)
  const versions = new SqlObjectVersions(database)
  const commitsOf = async () =>
    (await versions.list({ from: '', limit: 99 })).map(
      ({ path, commitId }) => `${path} ${commitId}`,
    )
  const { version } = earlier('acme/v1/a', 'c9')
  await new SqlPublicationStore(database).publish([
    { zones: [zoneOf('acme', 'z1'), zoneOf('old')], versions: [version], feed: [] },
  ])
  await store.add({ versions: [earlier('acme/v1/a', 'c0')], removedZones: [], done: 'c0' })
  expect([await store.missing(), await commitsOf()]).toEqual([undefined, ['acme/v1/a c9']])

  await database.transaction((transaction) =>
    transaction
      .insertInto('earlier_commits')
      .values({ until_commit: 'c3', done_commit: null, next_rank: 2 ** 52 })
      .execute(),
  )
  const former = [earlier('acme/v1/a', 'c1'), earlier('acme/v1/a', 'c2'), earlier('old/v1/a', 'c1')]
  await store.add({ versions: former, removedZones: [], done: 'c2' })
  expect(await store.missing()).toEqual({ until: 'c3', done: 'c2' })
  const later = [earlier('acme/v1/b', 'c3', 'another'), earlier('gone/v1/a', 'c3')]
  await store.add({
    versions: [...later, earlier('old/v1/a', 'c3', 'z2')],
    removedZones: ['old'],
    done: 'c3',
  })

  expect(await commitsOf()).toEqual(['acme/v1/a c9', 'acme/v1/a c2', 'acme/v1/a c1', 'old/v1/a c3'])
  expect(await store.missing()).toBeUndefined()
})
