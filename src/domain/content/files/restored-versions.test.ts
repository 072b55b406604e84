import { expect, test } from 'bun:test'

import { openContentWorld, operator, tenantOf } from '../../../../test/fixtures/content-world.ts'
import type { VersionedFile } from '../../../ports/content/content-store.ts'
import { parseAssetPath } from '../asset-path.ts'
import { type AssetHistory, createAssetHistory } from './asset-history.ts'
import { createRestoredVersions } from './restored-versions.ts'

const path = parseAssetPath('acme/v1/logos/a.svg')

/** Two versions of a file, and what notes how the bytes of a version are got at. */
async function setUp() {
  const world = await openContentWorld()
  const { content, catalog: published, publisher, blobs } = world
  await world.zones.create('acme', operator)
  await world.put(path, 'one')
  world.clock.ms += 1000
  await world.put(path, 'two')
  const history = createAssetHistory({ content, published })
  const [, first] = await history.versions(path, 9, operator)
  const calls: string[] = []
  const noting = (file: VersionedFile): VersionedFile => ({
    ...file,
    async keep() {
      calls.push('keep')
      return await file.keep()
    },
    async open() {
      calls.push('open')
      return await file.open()
    },
  })
  const restorable: AssetHistory['restorable'] = async (...given) => {
    const { file, beside } = await history.restorable(...given)
    return { file: noting(file), beside }
  }
  const restored = createRestoredVersions({ history: { restorable }, blobs, published, publisher })
  const apply = (actor = operator) => restored.apply(path, first?.id ?? '', actor)
  return { ...world, apply, calls, first, published }
}

test('a version comes back by its content id, and no byte of it is read', async () => {
  const { apply, calls, read, content, first, published } = await setUp()
  expect(await apply()).toMatchObject({ path, sizeBytes: 3, outcome: 'updated' })

  expect(calls).toEqual([])
  expect(await read(path)).toBe('one')
  expect(published.asset(path)?.sha256).toBe((await first?.file?.blob())?.sha256 ?? '')
  const [newest] = await content.history('', 1)
  expect(newest?.request).toMatchObject({
    subject: `Restore ${path} as of ${first?.id.slice(0, 10)}`,
    audit: { action: 'storage.restore', meta: { size: 3, restoredFrom: first?.id } },
  })
  expect(await apply()).toMatchObject({ outcome: 'unchanged' })
})

test('bytes that the blob store has lost are brought back from the repository', async () => {
  const { apply, calls, read, blobs, first } = await setUp()
  const lost = (await first?.file?.blob())?.sha256 ?? ''
  await blobs.remove(lost)
  await apply()

  expect(calls).toEqual(['keep'])
  expect(await blobs.isIntact(lost)).toBe(true)
  expect(await read(path)).toBe('one')
})

test('nobody brings back what he does not reach', async () => {
  const { apply } = await setUp()
  expect(apply(tenantOf('bolt'))).rejects.toMatchObject({ code: 'ZoneNotFound' })
})
