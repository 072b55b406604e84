import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { cp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

import { makePacks } from '../fixtures/many-packs.ts'
import { git, openTestStore, temporaryDirectory } from '../fixtures/open-test-store.ts'
import { joiningName } from './housekeeping.ts'
import { packNames } from './verification.ts'

const begunAt = new Date('2026-01-02T03:04:05.000Z')
const later = (minutes: number) => new Date(begunAt.getTime() + minutes * 60_000)

test('a joining that was broken off is not begun again by the next starts, but after an hour', async () => {
  await using repository = await openRepository()
  const mark = join(repository.directory, joiningName)
  await writeFile(mark, begunAt.toISOString())

  for (const minutes of [0, 1, 59]) await repository.openAt(later(minutes))
  expect(await readFile(mark, 'utf8')).toBe(begunAt.toISOString())
  expect(await packNames(repository.directory)).toHaveLength(500)

  await repository.openAt(later(60))
  expect((await packNames(repository.directory)).length).toBeLessThan(20)
  expect(existsSync(mark)).toBe(false)
}, 60_000)

test('a mark that says nothing, or a time that has not come, holds no joining up', async () => {
  for (const text of ['', 'soon', later(1).toISOString()]) {
    await using repository = await openRepository()
    await writeFile(join(repository.directory, joiningName), text)

    await repository.openAt(begunAt)

    expect((await packNames(repository.directory)).length).toBeLessThan(20)
  }
}, 60_000)

test('a joining that cannot be begun is told and stops nothing', async () => {
  await using repository = await openRepository()
  // Nobody can write a file where a directory is, whoever they are.
  await Bun.write(join(repository.directory, joiningName, 'in-the-way'), '')

  expect(await repository.openAt(begunAt)).toEqual(['packs could not be joined'])
  expect(await packNames(repository.directory)).toHaveLength(500)
}, 60_000)

for (const [attributes, wanted] of [
  [undefined, '*.* -delta\n'],
  ['* -delta\n', '*.* -delta\n'],
  ['*.psd -delta\n', '*.psd -delta\n'],
] as const)
  test(`of info/attributes ${JSON.stringify(attributes)} becomes ${JSON.stringify(wanted)}`, async () => {
    await using repository = await openRepository()
    const path = join(repository.directory, 'info', 'attributes')
    await (attributes === undefined ? rm(path) : writeFile(path, attributes))

    await repository.openAt(begunAt)

    expect(await readFile(path, 'utf8')).toBe(wanted)
  }, 60_000)

test('directories that are written again and again take little room once packs are joined', async () => {
  const parent = await temporaryDirectory()
  const directory = join(parent, 'repository.git')
  const { store, write } = await openTestStore({ directory })
  const names = Array.from({ length: 600 }, (_, index) => `clients/acme/v1/${index}`)
  await write(Object.fromEntries(names.map((name) => [`${name}/a.txt`, name])))
  for (const [index, name] of names.slice(0, 100).entries())
    await write({ [`${name}/b.txt`]: `${index}` })
  await store[Symbol.asyncDispose]()
  await git(directory, 'repack', '-d', '-q', '--geometric=2')

  const sizes = await packSizes(directory)
  // A hundred directories of 600 names of 20 random bytes each are more than a megabyte.
  expect(sizes.reduce((sum, size) => sum + size, 0)).toBeLessThan(400_000)
  await rm(parent, { recursive: true })
}, 60_000)

async function packSizes(directory: string): Promise<readonly number[]> {
  const packs = join(directory, 'objects', 'pack')
  const names = (await readdir(packs)).filter((name) => name.endsWith('.pack'))
  return await Promise.all(names.map(async (name) => (await stat(join(packs, name))).size))
}

const parentOfAll = await temporaryDirectory()
const manyPacks = join(parentOfAll, 'repository.git')

beforeAll(async () => {
  await (await openTestStore({ directory: manyPacks })).store[Symbol.asyncDispose]()
  await makePacks(manyPacks, { count: 500, bytesEach: 100 })
}, 60_000)
afterAll(() => rm(parentOfAll, { recursive: true, force: true }))

async function openRepository() {
  const parent = await temporaryDirectory()
  const directory = join(parent, 'repository.git')
  /** Opens the store at a time, lets it finish what it begins, and answers what it warned of. */
  const openAt = async (time: Date) => {
    const { store, warnings } = await openTestStore({ directory, now: () => time })
    // It waits for a joining that has begun.
    expect(await store.verify()).toEqual([])
    await store[Symbol.asyncDispose]()
    return warnings
  }
  await cp(manyPacks, directory, { recursive: true })
  return {
    directory,
    openAt,
    [Symbol.asyncDispose]: () => rm(parent, { recursive: true, force: true }),
  }
}
