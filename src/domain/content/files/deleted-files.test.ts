import { expect, test } from 'bun:test'

import { openContentWorld, operator, tenantOf } from '../../../../test/fixtures/content-world.ts'
import type { Actor } from '../../access/actor.ts'
import { parseAssetPath } from '../asset-path.ts'
import { sidecarPath } from '../metadata/sidecar-paths.ts'

const dayMs = 86_400_000

async function setUp() {
  const world = await openContentWorld()
  for (const zone of ['acme', 'bolt']) await world.zones.create(zone, operator)
  const remove = (paths: readonly string[], actor: Actor = operator) =>
    world.fileEdits.apply(
      {
        edits: paths.map((path, index) => ({
          kind: 'delete',
          from: parseAssetPath(path.replace(/\/$/u, '')),
          isDirectory: path.endsWith('/'),
          fields: { from: `Paths[${index}]` },
        })),
        isDryRun: false,
      },
      actor,
    )
  const list = async (zone?: string, actor: Actor = operator) =>
    (await world.deleted.list({ zone, page: 1, perPage: 50 }, actor)).items
  const listed = async (zone?: string, actor: Actor = operator) =>
    (await list(zone, actor)).map(({ path }) => path)
  const restore = (paths: readonly string[], actor: Actor = operator, isDryRun = false) =>
    world.deleted.restore(
      {
        wanted: paths.map((path, index) => ({
          path: parseAssetPath(path.replace(/\/$/u, '')),
          isDirectory: path.endsWith('/'),
          field: `Paths[${index}]`,
        })),
        isDryRun,
      },
      actor,
    )
  return { ...world, remove, list, listed, restore }
}

test('what is deleted is listed with who did it, when, and by which commit', async () => {
  const { put, remove, list, clock } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  clock.ms += 5000
  const { commitId } = await remove(['acme/v1/logos/a.svg'], tenantOf('acme'))

  expect(await list()).toMatchObject([
    {
      path: 'acme/v1/logos/a.svg',
      sizeBytes: 3,
      deletedBy: 'token:1',
      deletedAt: new Date('2026-11-20T12:00:05Z'),
      commitId,
    },
  ])
})

test('what was moved is not deleted, and what was overwritten is not either', async () => {
  const { put, fileEdits, listed } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  await put('acme/v1/logos/b.svg', 'two')
  await fileEdits.apply(
    {
      edits: [
        {
          kind: 'move',
          from: parseAssetPath('acme/v1/logos/a.svg'),
          to: parseAssetPath('acme/v1/logos/b.svg'),
          overwrite: true,
          fields: { from: 'From', to: 'To' },
        },
      ],
      isDryRun: false,
    },
    operator,
  )

  expect(await listed()).toEqual([])
})

test('what was deleted comes back in one commit, with its type and what was known of it', async () => {
  const { put, writeRaw, remove, restore, listed, catalog, content, blobs, read } = await setUp()
  const path = parseAssetPath('acme/v1/logos/a')
  await put(path, 'one', 'image/svg+xml')
  await put('acme/v1/icons/deep/b.svg', 'two')
  await put('acme/v1/icons/c.svg', 'three')
  await writeRaw({ [sidecarPath(path)]: '{}' })
  await remove([path, 'acme/v1/icons/'])
  expect(await content.find(sidecarPath(path))).toBeUndefined()
  const head = await content.head()
  const { commitId, paths } = await restore([path, 'acme/v1/icons/'])

  const commits = await Array.fromAsync(content.commitsAfter(head))
  expect(commits.map(({ id }) => id)).toEqual([commitId ?? ''])
  expect(paths.toSorted()).toEqual([
    parseAssetPath('acme/v1/icons/c.svg'),
    parseAssetPath('acme/v1/icons/deep/b.svg'),
    path,
  ])
  expect(catalog.asset(path)?.contentType).toBe('image/svg+xml')
  expect(await content.find(sidecarPath(path))).toBeDefined()
  expect(await read('acme/v1/icons/deep/b.svg')).toBe('two')
  expect(await listed()).toEqual([])
  expect(await blobs.stat(catalog.asset(path)?.sha256 ?? '')).toBeDefined()
})

test('nothing comes back where one of them cannot', async () => {
  const { put, writeRaw, remove, restore, content } = await setUp()
  for (const name of ['a.svg', 'b.svg', 'c']) await put(`acme/v1/logos/${name}`, name)
  await remove(['acme/v1/logos/'])
  await writeRaw({
    'clients/acme/v1/logos/B.svg': 'in the way',
    'clients/acme/v1/logos/c/d': 'too',
  })
  const head = await content.head()
  const refusal = restore([
    'acme/v1/logos/a.svg',
    'acme/v1/logos/b.svg',
    'acme/v1/logos/c',
    'acme/v1/logos/never.svg',
  ])
  expect(refusal).rejects.toMatchObject({ code: 'AssetNotFound', target: 'Paths[3]' })
  await refusal.catch(() => {})
  for (const isDryRun of [true, false]) {
    const conflict = restore(
      ['acme/v1/logos/a.svg', 'acme/v1/logos/b.svg', 'acme/v1/logos/c'],
      operator,
      isDryRun,
    )
    expect(conflict).rejects.toMatchObject({
      code: 'PathConflict',
      details: [{ target: 'Paths[1]' }, { target: 'Paths[2]' }],
    })
    await conflict.catch(() => {})
  }

  expect(await content.head()).toBe(head)
})

test('a path that has a file again is not brought back over it', async () => {
  const { put, remove, restore, listed, read } = await setUp()
  await put('acme/v1/logos/a.svg', 'old')
  await remove(['acme/v1/logos/a.svg'])
  await put('acme/v1/logos/a.svg', 'new')

  expect(await listed()).toEqual([])
  expect(restore(['acme/v1/logos/a.svg'])).rejects.toMatchObject({ code: 'AssetNotFound' })
  expect(await read('acme/v1/logos/a.svg')).toBe('new')
})

test('after 30 days it is listed no more', async () => {
  const { put, remove, listed, clock } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  await remove(['acme/v1/logos/a.svg'])
  clock.ms += 30 * dayMs
  expect(await listed()).toEqual(['acme/v1/logos/a.svg'])
  clock.ms += 1000

  expect(await listed()).toEqual([])
})

test('a tenant sees and brings back what is its own alone', async () => {
  const { put, remove, listed, restore, deleted } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  await put('bolt/v1/logos/b.svg', 'two')
  await remove(['acme/v1/logos/a.svg', 'bolt/v1/logos/b.svg'])
  const tenant = tenantOf('acme')

  expect(await listed(undefined, tenant)).toEqual(['acme/v1/logos/a.svg'])
  expect(await listed('bolt')).toEqual(['bolt/v1/logos/b.svg'])
  for (const zone of ['bolt', 'none'])
    expect(deleted.list({ zone, page: 1, perPage: 1 }, tenant)).rejects.toMatchObject({
      code: 'ZoneNotFound',
    })
  expect(restore(['bolt/v1/logos/b.svg'], tenant)).rejects.toMatchObject({ code: 'ZoneNotFound' })
})

test('the end of a zone ends what could be brought back of it', async () => {
  const { put, remove, listed, zones } = await setUp()
  await put('acme/v1/logos/a.svg', 'one')
  await remove(['acme/v1/logos/a.svg'])
  await zones.remove('acme', operator)
  await zones.create('acme', operator)

  expect(await listed()).toEqual([])
})

test('a rebuild finds in the repository what was deleted and moved', async () => {
  const { put, remove, list, past, publisher, fileEdits, catalog } = await setUp()
  for (const name of ['a.svg', 'b.svg']) await put(`acme/v1/logos/${name}`, name)
  await remove(['acme/v1/logos/a.svg'])
  await fileEdits.apply(
    {
      edits: [
        {
          kind: 'move',
          from: parseAssetPath('acme/v1/logos'),
          to: parseAssetPath('bolt/v1/brand'),
          overwrite: false,
          fields: { from: 'From', to: 'To' },
        },
      ],
      isDryRun: false,
    },
    operator,
  )
  const before = [await list(), await past.movesTo(['bolt/v1/brand'])]
  const asset = catalog.asset('bolt/v1/brand/b.svg')
  await publisher.rebuild()

  expect(before[1]).toMatchObject([{ from: 'acme/v1/logos', to: 'bolt/v1/brand' }])
  expect([await list(), await past.movesTo(['bolt/v1/brand'])]).toEqual(before)
  expect(catalog.asset('bolt/v1/brand/b.svg')).toEqual(asset)
})
