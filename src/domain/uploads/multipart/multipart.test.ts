import { describe, expect, test } from 'bun:test'

import { parseAssetPath } from '../../content/asset-path.ts'
import { ServiceError } from '../../errors.ts'
import { actor, openUploads } from '../uploads.fixture.ts'
import { chooseParts, minPartBytes } from './choose-parts.ts'
import type { Completion, CompletionPlan } from './multipart-uploads.ts'

const path = parseAssetPath('acme/v1/a.txt')

const settings = {
  ttlMs: 3_600_000,
  maxFileBytes: 1e6,
  maxStagedBytes: 40_000,
  maxOpenPerZone: 4,
  maxOpenPerNetwork: 4,
}

async function openMultipart() {
  const world = await openUploads({ settings })
  const { multipart } = world.uploads
  const { id } = await multipart.create({ path, contentType: 'text/x-a' }, actor)
  const place = { id, path }
  return {
    ...world,
    multipart,
    place,
    put: (number: number, content: string, size?: number) =>
      multipart.putPart(place, { ...part(number, content), sizeBytes: size }, actor),
    complete: (given: Partial<Completion> = {}) =>
      multipart.complete(place, (parts) => ({ parts, completedAs: 'whole', ...given }), actor),
    staged: () => Array.fromAsync(world.dependencies.staged.list()),
    commits: () => world.content.history(`clients/${path}`, 10),
  }
}

test('parts in any order, some of them again, become the file that the newest of each make', async () => {
  const world = await openMultipart()
  await Promise.all([world.put(7, 'c'), world.put(2, 'wrong'), world.put(1, 'a', 1)])
  const newest = await world.put(2, 'b')
  expect(newest).toMatchObject({ number: 2, sizeBytes: 1, md5: md5Of('b') })
  const listed = await world.multipart.parts(world.place, { after: 0, limit: 10 }, actor)
  expect(listed.map(({ number }) => number)).toEqual([1, 2, 7])
  const completed = await world.complete()

  expect(completed).toMatchObject({
    written: { path, outcome: 'created', sizeBytes: 3 },
    completedAs: 'whole',
  })
  expect(await world.contentOf(path)).toBe('abc')
  expect(world.database.assetByPath.get(path)?.contentType).toBe('text/x-a')
  expect(await world.staged()).toEqual([])
})

test('parts that are not chosen are no part of the file, and a file may have no bytes', async () => {
  const world = await openMultipart()
  for (const content of ['a', 'b', '']) await world.put(content.length + 1, content)
  await world.put(3, '')
  await world.multipart.complete(
    world.place,
    (parts) => ({ parts: parts.filter(({ number }) => number !== 2), completedAs: '' }),
    actor,
  )
  expect(await world.contentOf(path)).toBe('')
})

test('one that is completed again is answered as it was, and takes no more parts', async () => {
  const world = await openMultipart()
  await world.put(1, 'a')
  const completed = await world.complete()
  expect(await world.complete({ completedAs: 'other' })).toEqual(completed)
  expect(await world.multipart.find(world.place, actor)).toMatchObject({ completed })
  expect(await world.commits()).toHaveLength(1)

  for (const attempt of [
    () => world.put(2, 'b'),
    () => world.multipart.parts(world.place, { after: 0, limit: 1 }, actor),
    () => world.multipart.abort(world.place, actor),
  ])
    expect(await refusal(attempt())).toMatchObject({ code: 'UploadNotFound' })
  expect(await world.contentOf(path)).toBe('a')
})

test('a refusal of the end leaves everything as it was', async () => {
  const world = await openMultipart()
  await world.put(1, 'a')
  const refused = await refusal(world.complete({ precondition: () => false }))
  expect(refused).toMatchObject({ code: 'PreconditionFailed' })
  const thrown = new ServiceError('InvalidParameter', 'no')
  const refuse: CompletionPlan = () => {
    throw thrown
  }
  expect(await refusal(world.multipart.complete(world.place, refuse, actor))).toBe(thrown)
  await world.put(2, 'b')

  expect((await world.complete()).written).toMatchObject({ sizeBytes: 2 })
  expect(await world.contentOf(path)).toBe('ab')
})

test('a part that breaks off or is not what was said leaves the one before and nothing else', async () => {
  const world = await openMultipart()
  await world.put(1, 'a')
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(Buffer.from('b')),
    pull: (controller) => controller.error(new Error('the line went dead')),
  })
  const sent = { ...part(1, ''), body: broken }
  await refusal(world.multipart.putPart(world.place, sent, actor))
  await refusal(world.put(1, 'bb', 1))
  for (const number of [0, -1, 1.5, 10_001, Number.NaN])
    expect(await refusal(world.put(number, 'b'))).toMatchObject({ code: 'InvalidParameter' })

  expect(await world.staged()).toHaveLength(1)
  await world.complete()
  expect(await world.contentOf(path)).toBe('a')
})

test('an upload is there at its own path, for those who reach the zone, and for neither protocol of the other kind', async () => {
  const world = await openMultipart()
  const other = parseAssetPath('acme/v1/b.txt')
  const stranger = { ...actor, zones: new Set(['other']) }
  const { id } = world.place
  for (const attempt of [
    () => world.multipart.find({ id, path: other }, actor),
    () => world.multipart.find(world.place, stranger),
    () => world.multipart.find({ id: 'nobody', path }, actor),
    () => world.uploads.find(id, actor),
    () => world.uploads.cancel(id, actor),
  ])
    expect(await refusal(attempt())).toMatchObject({ code: 'UploadNotFound' })
  const inOne = await world.uploads.create({ path, sizeBytes: 5 }, actor)
  expect(await refusal(world.multipart.find({ id: inOne.id, path }, actor))).toMatchObject({
    code: 'UploadNotFound',
  })
})

test('open uploads are listed by path and by when they began', async () => {
  const world = await openMultipart()
  const begin = async (name: string) => {
    world.clock.time = new Date(world.clock.time.getTime() + 1)
    const terms = { path: parseAssetPath(`acme/v1/${name}`) }
    return (await world.multipart.create(terms, actor)).id
  }
  const again = await begin('a.txt')
  const later = await begin('b.txt')
  const gone = await begin('b.txt')
  await world.multipart.abort({ id: gone, path: parseAssetPath('acme/v1/b.txt') }, actor)
  const page = { zone: 'acme', prefix: 'acme/v1/', after: undefined, limit: 10 }
  const ids = (await world.multipart.list(page, actor)).map(({ id }) => id)

  expect(ids).toEqual([world.place.id, again, later])
  expect(await refusal(world.multipart.list(page, { ...actor, zones: new Set() }))).toMatchObject({
    code: 'ZoneNotFound',
  })
})

describe('bounds', () => {
  test('what lies there of a zone is bounded, by part, small ones counting more than they have', async () => {
    const world = await openMultipart()
    await world.put(1, 'a')
    await world.put(2, 'b'.repeat(10_000))
    expect(await world.uploads.bytesIn('acme')).toBe(8192 + 10_000)
    expect(await refusal(world.put(3, 'c'.repeat(25_000)))).toMatchObject({ code: 'LimitExceeded' })
    expect(await refusal(world.put(3, '', 25_000))).toMatchObject({ code: 'LimitExceeded' })
    expect(await world.uploads.bytesIn('acme')).toBe(8192 + 10_000)

    for (let count = 1; count < 4; count += 1) await world.multipart.create({ path }, actor)
    expect(await refusal(world.multipart.create({ path }, actor))).toMatchObject({
      code: 'LimitExceeded',
    })
    await world.multipart.abort(world.place, actor)
    expect(await world.uploads.bytesIn('acme')).toBe(0)
    await world.multipart.create({ path }, actor)
  })

  test('neither a part nor the whole is larger than a file may be', async () => {
    const world = await openMultipart()
    const small = { ...settings, maxFileBytes: 1000 }
    const { multipart } = world.restart({ settings: small })
    const put = (number: number, content: string, sizeBytes?: number) =>
      multipart.putPart(world.place, { ...part(number, content), sizeBytes }, actor)
    expect(await refusal(put(1, 'a'.repeat(1001)))).toMatchObject({ code: 'PayloadTooLarge' })
    expect(await refusal(put(1, '', 1001))).toMatchObject({ code: 'PayloadTooLarge' })
    for (const number of [1, 2]) await put(number, 'a'.repeat(501))
    const whole: CompletionPlan = (parts) => ({ parts, completedAs: '' })
    expect(await refusal(multipart.complete(world.place, whole, actor))).toMatchObject({
      code: 'PayloadTooLarge',
    })
  })

  test('parts of an upload that expires or is forgotten are collected, those of others are not', async () => {
    const world = await openMultipart()
    await world.put(1, 'a')
    expect(await world.uploads.collect()).toBe(0)
    world.clock.time = new Date(world.clock.time.getTime() + 3_500_000)
    await world.put(2, 'b')
    world.clock.time = new Date(world.clock.time.getTime() + 3_500_000)
    expect(await world.uploads.collect()).toBe(0)
    world.clock.time = new Date(world.clock.time.getTime() + 3_600_000)
    expect(await refusal(world.put(3, 'c'))).toMatchObject({ code: 'UploadExpired' })
    expect(await world.uploads.collect()).toBe(2)
    expect(await world.staged()).toEqual([])
    world.clock.time = new Date(world.clock.time.getTime() + 7_200_001)
    await world.uploads.collect()
    const { partStore } = world.dependencies
    expect(await partStore.list(world.place.id, { after: 0, limit: 10 })).toEqual([])
  })

  test('bytes of a part that a kill left without a record are collected', async () => {
    const world = await openMultipart()
    const { partStore } = world.dependencies
    await world.put(1, 'a')
    const put = partStore.put.bind(partStore)
    partStore.put = async () => {
      throw new Error('killed')
    }
    const { staged } = world.dependencies
    const drop = staged.drop.bind(staged)
    staged.drop = async () => {}
    await refusal(world.put(1, 'b'))
    Object.assign(partStore, { put })
    Object.assign(staged, { drop })
    expect(await world.staged()).toHaveLength(2)

    expect(await world.restart().collect()).toBe(1)
    await world.complete()
    expect(await world.contentOf(path)).toBe('a')
  })
})

describe('kills', () => {
  test('between the commit and its record: the same end, asked for again, finds its own commit', async () => {
    const world = await openMultipart()
    await world.put(1, 'a')
    const { store } = world.dependencies
    const replace = store.replace.bind(store)
    store.replace = async (record) => {
      if (record.outcome !== undefined) throw new Error('killed')
      await replace(record)
    }
    await refusal(world.complete())
    store.replace = replace
    const again = await world.restart().multipart.complete(
      world.place,
      () => {
        throw new Error('not asked')
      },
      { ...actor, requestId: 'another' },
    )

    expect(again).toMatchObject({ written: { outcome: 'created' }, completedAs: 'whole' })
    expect(await world.commits()).toHaveLength(1)
  })

  test('after the bytes became a blob and before the commit: the same end finds them, another one is refused', async () => {
    const world = await openMultipart()
    await world.put(1, 'a')
    await world.put(2, 'b')
    const { files } = world.dependencies
    const killed = {
      ...world.dependencies,
      files: {
        ...files,
        async put(request: Parameters<typeof files.put>[0]) {
          if ('keep' in request.source) await request.source.keep()
          throw new Error('killed')
        },
      },
    }
    const plan: CompletionPlan = (parts) => ({ parts, completedAs: 'ab' })
    await refusal(world.restart(killed).multipart.complete(world.place, plan, actor))

    const other: CompletionPlan = (parts) => ({ parts: parts.slice(0, 1), completedAs: 'a' })
    expect(
      await refusal(world.restart().multipart.complete(world.place, other, actor)),
    ).toMatchObject({ code: 'WriteConflict' })
    await world.restart().multipart.complete(world.place, plan, actor)
    expect(await world.contentOf(path)).toBe('ab')
  })
})

describe('the choice of parts', () => {
  const stored = [1, 3, 4].map((number) => ({
    number,
    bytesId: `${number}`,
    sizeBytes: number === 4 ? 1 : minPartBytes,
    md5: `md5-${number}`,
    checksum: undefined,
    storedAt: new Date(0),
  }))
  const choose = (...numbers: number[]) =>
    chooseParts(
      numbers.map((number) => ({ number, md5: `md5-${number}` })),
      stored,
    )

  test('holds numbers to rise, parts to be there, and all but the last to be large', () => {
    expect(choose(1, 3, 4)).toEqual({ parts: stored })
    expect(choose(4)).toMatchObject({ parts: [{ number: 4 }] })
    expect(choose(3, 1)).toMatchObject({ fault: 'order', choice: { number: 1 } })
    expect(choose(3, 3)).toMatchObject({ fault: 'order' })
    expect(choose(1, 2)).toMatchObject({ fault: 'unknown', choice: { number: 2 } })
    expect(chooseParts([{ number: 1, md5: 'other' }], stored)).toMatchObject({ fault: 'unknown' })
    const small = stored.map((part) => (part.number === 3 ? { ...part, sizeBytes: 5 } : part))
    expect(
      chooseParts(
        [3, 4].map((number) => ({ number, md5: `md5-${number}` })),
        small,
      ),
    ).toMatchObject({ fault: 'small', choice: { number: 3 } })
  })
})

const part = (number: number, content: string) => ({
  number,
  body: Buffer.from(content),
  sizeBytes: undefined,
  digests: () => ({ md5: md5Of(content), checksum: undefined }),
})

const md5Of = (text: string) => new Bun.CryptoHasher('md5').update(text).digest('hex')

const refusal = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    () => undefined,
    (error: unknown) => error,
  )
