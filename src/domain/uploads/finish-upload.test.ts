import { expect, test } from 'bun:test'

import { parseAssetPath } from '../content/asset-path.ts'
import { ServiceError } from '../errors.ts'
import { actor, openUploads } from './uploads.fixture.ts'

const path = parseAssetPath('acme/v1/a.txt')

/** All but the last byte is there. */
async function openNearlyWhole(condition?: { readonly isNot: 'anything' }) {
  const world = await openUploads()
  const { id } = await world.uploads.create(
    { path, sizeBytes: 3, ...(condition === undefined ? {} : { condition }) },
    actor,
  )
  await world.uploads.append(id, { offset: 0, body: text('ab') }, actor)
  const last = { offset: 2, body: text('c') }
  const commits = async () => await world.content.history('clients/acme/v1/a.txt', 10)
  return { ...world, id, last, commits }
}

for (const condition of [undefined, { isNot: 'anything' } as const])
  test(`a kill between the commit and its record: it is the upload's own, and made once${condition ? ', whatever its condition was' : ''}`, async () => {
    const world = await openNearlyWhole(condition)
    const { store } = world.dependencies
    const replace = store.replace.bind(store)
    store.replace = async (record) => {
      if (record.outcome !== undefined) throw new Error('killed')
      await replace(record)
    }
    const killed = world.uploads.append(world.id, world.last, { ...actor, requestId: 'last' })
    expect(await killed.catch(() => 'killed')).toBe('killed')
    store.replace = replace
    expect(await world.commits()).toHaveLength(1)

    const asked = await world.restart().find(world.id, { ...actor, requestId: 'another' })
    expect(asked).toMatchObject({ offset: 3, written: { outcome: 'created', sizeBytes: 3 } })
    expect(await world.commits()).toHaveLength(1)
    expect(await Array.fromAsync(world.dependencies.staged.list())).toEqual([])
  })

test('a commit that took the place of a file is known as an update after a kill too', async () => {
  const world = await openNearlyWhole()
  await world.files.put({ path, source: text('before') }, { ...actor, requestId: 'put' })
  const { store } = world.dependencies
  const replace = store.replace.bind(store)
  store.replace = async (record) => {
    if (record.outcome !== undefined) throw new Error('killed')
    await replace(record)
  }
  await world.uploads
    .append(world.id, world.last, { ...actor, requestId: 'last' })
    .catch(() => 'killed')
  store.replace = replace

  expect(await world.restart().find(world.id, actor)).toMatchObject({
    written: { outcome: 'updated' },
  })
})

test('a kill after the bytes became a blob and before the commit: asking again makes the commit', async () => {
  const world = await openNearlyWhole()
  const put: typeof world.files.put = async (request) => {
    if ('keep' in request.source) await request.source.keep()
    throw new Error('killed')
  }
  const dying = world.restart({ files: { put } })
  expect(await dying.append(world.id, world.last, actor).catch(() => 'killed')).toBe('killed')
  expect(await Array.fromAsync(world.dependencies.staged.list())).toEqual([])

  expect(await world.restart().find(world.id, actor)).toMatchObject({
    offset: 3,
    written: { outcome: 'created' },
  })
  expect(await world.contentOf(path)).toBe('abc')
})

test('what may pass leaves the upload as it is, and asking again stores it', async () => {
  const world = await openNearlyWhole()
  const put: typeof world.files.put = async () => {
    throw new ServiceError('Unavailable', 'The disk is full')
  }
  const unlucky = world.restart({ files: { put } })
  const refused = await unlucky.append(world.id, world.last, actor).catch((error: unknown) => error)
  expect(refused).toMatchObject({ code: 'Unavailable' })

  expect(await world.uploads.find(world.id, actor)).toMatchObject({
    written: { outcome: 'created' },
  })
})

test('what a grant does not allow is refused at the end and leaves nothing', async () => {
  const world = await openNearlyWhole()
  const seen: string[] = []
  const strict = world.restart({
    checkWhole: async ({ id }, firstBytes) => {
      seen.push(id, Buffer.from(await firstBytes(2)).toString())
      throw new ServiceError('UnsupportedMediaType', 'The grant is for images')
    },
  })
  const refused = await strict.append(world.id, world.last, actor).catch((error: unknown) => error)

  expect(refused).toMatchObject({ code: 'UnsupportedMediaType' })
  expect(seen).toEqual([world.id, 'ab'])
  expect(await world.contentOf(path)).toBeUndefined()
  expect(await Array.fromAsync(world.dependencies.staged.list())).toEqual([])
})

const text = (content: string) => new TextEncoder().encode(content)
