import { expect, test } from 'bun:test'

import { git, openTestStore } from '../fixtures/open-test-store.ts'

const marker = 'This version was let go.\n'
const day = (number: number) => new Date(Date.UTC(2026, 0, 1) + number * 86_400_000)
const retentionOf = (zone: string, endedBefore: number, dueBefore = endedBefore) => ({
  zone,
  directory: `clients/${zone}/v1`,
  endedBefore: day(endedBefore),
  dueBefore: day(dueBefore),
})

/** A store whose commits are of the days that are said. */
async function openWorld() {
  const clock = { now: day(0) }
  const world = await openTestStore({ now: () => clock.now })
  const { store } = world
  const on = async (number: number, files: Readonly<Record<string, string | undefined>>) => {
    clock.now = day(number)
    const commit = await store.commit({ subject: `day ${number}`, author: 'a' }, async () =>
      Promise.all(
        Object.entries(files).map(async ([path, text]) =>
          text === undefined
            ? { kind: 'delete' as const, path: `clients/${path}` }
            : await world.put(`clients/${path}`, text),
        ),
      ),
    )
    return commit?.id ?? ''
  }
  const textAt = async (commitId: string, path: string) => {
    const bytes = await (await store.at(commitId))?.read(`clients/${path}`)
    return bytes === undefined ? undefined : Buffer.from(bytes).toString()
  }
  const outdated = async (askedOn: number, ...retentions: ReturnType<typeof retentionOf>[]) =>
    await store.outdated(retentions, { marker, askedAt: day(askedOn), released: [] })
  const textsOf = async ({ blobs }: Awaited<ReturnType<typeof outdated>>) => {
    const texts = blobs.map(({ contentId }) => git(world.directory, 'cat-file', 'blob', contentId))
    return (await Promise.all(texts)).toSorted()
  }
  return { ...world, on, textAt, outdated, textsOf }
}

test('what ended before the retention is outdated, unless something else has it', async () => {
  const { store, on, outdated, textsOf } = await openWorld()
  await using _ = store
  await on(0, {
    'acme/v1/a.txt': 'first',
    'acme/v1/b.txt': 'shown elsewhere',
    'acme/v1/c.txt': 'of another zone too',
    'acme/v1/d.txt': 'deleted',
    'acme/zone.json': 'settings of before',
  })
  await on(1, {
    'acme/v1/a.txt': 'second',
    'acme/v1/b.txt': 'other',
    'acme/v1/c.txt': 'other',
    'acme/v1/d.txt': undefined,
    'acme/v1/e.txt': 'shown elsewhere',
    'acme/zone.json': 'settings',
    'other/v1/c.txt': 'of another zone too',
  })
  await on(2, { 'other/v1/c.txt': 'replaced there' })
  await on(50, { 'acme/v1/a.txt': 'third' })

  expect(await textsOf(await outdated(60, retentionOf('acme', 30)))).toEqual(['deleted', 'first'])
  expect(await textsOf(await outdated(60, retentionOf('acme', 60)))).toEqual([
    'deleted',
    'first',
    'second',
  ])
  const both = [retentionOf('acme', 30), retentionOf('other', 30)]
  expect(await textsOf(await outdated(60, ...both))).toEqual([
    'deleted',
    'first',
    'of another zone too',
  ])
  expect((await outdated(60, retentionOf('acme', 30))).zones).toEqual(['acme'])
  expect((await outdated(60, retentionOf('other', 30, 1))).blobs).toEqual([])
  expect((await outdated(60, retentionOf('acme', 30, 1))).blobs).toEqual([])
})

test('bytes that were let go leave the repository, and the log stays', async () => {
  const { store, directory, on, textAt, outdated } = await openWorld()
  await using _ = store
  const first = await on(0, { 'acme/v1/a.txt': 'first', 'acme/v1/b.txt': 'kept' })
  const second = await on(10, { 'acme/v1/a.txt': 'second' })
  await on(40, { 'acme/v1/a.txt': 'third' })
  const log = ['log', '--format=%an %cI %s', '--name-status', 'main']
  const before = await git(directory, ...log)
  const found = await outdated(60, retentionOf('acme', 30))

  expect(await store.letGo(found)).toEqual({ commits: 1 })

  expect(await textAt(first, 'acme/v1/a.txt')).toBe(marker)
  expect(await textAt(first, 'acme/v1/b.txt')).toBe('kept')
  expect(await textAt(second, 'acme/v1/a.txt')).toBe('second')
  expect(await git(directory, ...log)).toBe(before)
  expect(await git(directory, 'fsck', '--full', '--strict')).toBe('')
  const objects = await git(directory, 'cat-file', '--batch-all-objects', '--batch-check')
  for (const { contentId } of found.blobs) expect(objects).not.toContain(contentId)
  const again = await outdated(60, retentionOf('acme', 30))
  expect(again.blobs).toEqual([])
  expect(again.markedUntil.get('acme')).toEqual(day(10))
  // Unlike what is erased it may come again.
  const later = await on(61, { 'acme/v1/a.txt': 'first' })
  expect(await textAt(later, 'acme/v1/a.txt')).toBe('first')
})

test('what is used again meanwhile stays, with all the rest', async () => {
  for (const isDeleted of [false, true]) {
    const { store, directory, on, textAt, outdated } = await openWorld()
    await using _ = store
    const first = await on(0, { 'acme/v1/a.txt': 'first', 'acme/v1/b.txt': 'one' })
    await on(10, { 'acme/v1/a.txt': 'second', 'acme/v1/b.txt': 'two' })
    const found = await outdated(60, retentionOf('acme', 30))
    const used = await on(60, { 'acme/v1/a.txt': 'first' })
    if (isDeleted) await on(60, { 'acme/v1/a.txt': undefined })

    expect(await store.letGo(found).catch(({ name }) => name)).toBe('UsedAgainError')
    expect(await textAt(used, 'acme/v1/a.txt')).toBe('first')
    expect(await textAt(first, 'acme/v1/b.txt')).toBe('one')
    expect(await git(directory, 'fsck', '--full', '--strict', '--no-dangling')).toBe('')
  }
})

test('what a preview shows, and what it showed of late, is kept', async () => {
  const { store, directory, on, outdated, textsOf } = await openWorld()
  await using _ = store
  const first = await on(0, { 'acme/v1/a.txt': 'first', 'acme/v1/b.txt': 'one' })
  await on(10, { 'acme/v1/a.txt': 'second', 'acme/v1/b.txt': 'two' })
  await git(directory, 'update-ref', 'refs/heads/preview/acme/old', first)

  expect(await textsOf(await outdated(60, retentionOf('acme', 30)))).toEqual([])
  await git(directory, 'update-ref', '-d', 'refs/heads/preview/acme/old')
  expect(await textsOf(await outdated(60, retentionOf('acme', 30)))).toEqual(['first', 'one'])
})

test('what was released goes wherever commits have it, but for branches', async () => {
  const { store, on, textAt } = await openWorld()
  await using _ = store
  const refOf = (text: string) => ({
    sha256: new Bun.CryptoHasher('sha256').update(text).digest('hex'),
    sizeBytes: text.length,
  })
  const first = await on(0, { 'acme/v1/a.txt': 'first', 'acme/v1/b.txt': 'still there' })
  await on(1, { 'acme/v1/a.txt': 'second' })
  const released = [refOf('first'), refOf('still there'), refOf('never')]
  const found = await store.outdated([], { marker, askedAt: day(2), released })
  expect(found.blobs.map(({ sha256 }) => sha256)).toEqual([refOf('first').sha256])
  await store.letGo(found)

  expect(await textAt(first, 'acme/v1/a.txt')).toBe(marker)
  expect(await textAt(first, 'acme/v1/b.txt')).toBe('still there')
})

test('of a large file the pointer is found, and what it stands for', async () => {
  const large = 'x'.repeat(5_000)
  const clock = { now: day(0) }
  const { store, write } = await openTestStore({ now: () => clock.now, largeFileBytes: 4_000 })
  await using _ = store
  await write({ 'clients/acme/v1/film.bin': large })
  clock.now = day(10)
  await write({ 'clients/acme/v1/film.bin': 'small' })
  const wanted = { marker, askedAt: day(60), released: [] }
  const { blobs } = await store.outdated([retentionOf('acme', 30)], wanted)

  const sha256 = new Bun.CryptoHasher('sha256').update(large).digest('hex')
  expect(blobs).toMatchObject([{ sha256, sizeBytes: large.length }])
})
