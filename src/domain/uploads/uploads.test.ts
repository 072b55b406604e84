import { expect, test } from 'bun:test'

import { type AssetPath, parseAssetPath } from '../content/asset-path.ts'
import { actor, openUploads } from './uploads.fixture.ts'

const path = parseAssetPath('acme/v1/a.txt')

test('a file arrives in pieces and is stored as by a put', async () => {
  const { uploads, contentOf, database } = await openUploads()
  const { id, offset } = await uploads.create(
    { path, sizeBytes: 6, contentType: 'text/x-a' },
    actor,
  )
  expect(offset).toBe(0)
  expect(await uploads.append(id, { offset: 0, body: text('abc') }, actor)).toMatchObject({
    offset: 3,
    written: undefined,
  })
  expect(await uploads.find(id, actor)).toMatchObject({ offset: 3, sizeBytes: 6 })
  const whole = await uploads.append(id, { offset: 3, body: text('def') }, actor)

  expect(whole).toMatchObject({ offset: 6, written: { path, outcome: 'created', sizeBytes: 6 } })
  expect(await contentOf(path)).toBe('abcdef')
  expect(await uploads.find(id, actor)).toEqual(whole)
  expect(database.assetByPath.get(path)?.contentType).toBe('text/x-a')
  expect(database.audit.at(-1)).toMatchObject({ action: 'storage.put', target: path })
})

test('an upload of no bytes is finished at once', async () => {
  const { uploads, contentOf } = await openUploads()
  const { written } = await uploads.create({ path, sizeBytes: 0 }, actor)

  expect(written).toMatchObject({ outcome: 'created', sizeBytes: 0 })
  expect(await contentOf(path)).toBe('')
})

test('a piece that begins elsewhere is refused with the right offset, and a repeated end is answered', async () => {
  const { uploads } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 6 }, actor)
  await uploads.append(id, { offset: 0, body: text('abc') }, actor)
  for (const offset of [0, 2, 4, 1e15])
    expect(await refusal(uploads.append(id, { offset, body: text('def') }, actor))).toMatchObject({
      code: 'OffsetMismatch',
      context: { Offset: 3 },
    })
  const whole = await uploads.append(id, { offset: 3, body: text('def') }, actor)

  expect(await uploads.append(id, { offset: 6, body: text('') }, actor)).toEqual(whole)
  for (const piece of [
    { offset: 6, body: text('g') },
    { offset: 3, body: text('def') },
  ])
    expect(await refusal(uploads.append(id, piece, actor))).toMatchObject({
      code: 'OffsetMismatch',
    })
})

test('a size may be said with a later piece, once, and must hold what is there', async () => {
  const { uploads, contentOf } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: undefined }, actor)
  await uploads.append(id, { offset: 0, body: text('abc') }, actor)
  const say = (sizeBytes: number) =>
    uploads.append(id, { offset: 3, body: text(''), sizeBytes }, actor)
  for (const [sizeBytes, code] of [
    [2, 'UploadLengthMismatch'],
    [1001, 'PayloadTooLarge'],
    [-1, 'InvalidParameter'],
    [4.5, 'InvalidParameter'],
    [Number.NaN, 'InvalidParameter'],
  ] as const)
    expect(await refusal(say(sizeBytes))).toMatchObject({ code })
  expect(await say(5)).toMatchObject({ sizeBytes: 5, offset: 3 })
  expect(await say(5)).toMatchObject({ sizeBytes: 5 })
  expect(await refusal(say(6))).toMatchObject({ code: 'UploadLengthMismatch' })
  await uploads.append(id, { offset: 3, body: text('de') }, actor)

  expect(await contentOf(path)).toBe('abcde')
})

test('the piece that is called the last ends an upload whose size nobody said', async () => {
  const { uploads, contentOf } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: undefined }, actor)
  await uploads.append(id, { offset: 0, body: text('abc'), isLast: false }, actor)
  const { written } = await uploads.append(id, { offset: 3, body: text('d'), isLast: true }, actor)

  expect(written).toMatchObject({ outcome: 'created' })
  expect(await contentOf(path)).toBe('abcd')
})

test('the last piece of an upload that is not whole then is refused', async () => {
  const { uploads } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 6 }, actor)

  const last = { offset: 0, body: text('abc'), isLast: true }
  expect(await refusal(uploads.append(id, last, actor))).toMatchObject({
    code: 'UploadLengthMismatch',
  })
  expect(await uploads.find(id, actor)).toMatchObject({ offset: 3, written: undefined })
})

test('all bytes may be there, and the upload wait until it is called whole', async () => {
  const { uploads, contentOf } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 3 }, actor)
  await uploads.append(id, { offset: 0, body: text('abc'), isLast: false }, actor)
  expect(await uploads.find(id, actor)).toMatchObject({ offset: 3, written: undefined })
  await uploads.append(id, { offset: 3, body: text(''), isLast: true }, actor)

  expect(await contentOf(path)).toBe('abc')
})

test('what arrives before a body breaks off stays', async () => {
  const { uploads, contentOf } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 6 }, actor)
  const body = streamOf(['ab', 'cd'], new Error('the line went dead'))
  expect(await refusal(uploads.append(id, { offset: 0, body }, actor))).toMatchObject({
    code: 'InvalidParameter',
    target: 'body',
  })
  expect(await uploads.find(id, actor)).toMatchObject({ offset: 4 })
  await uploads.append(id, { offset: 4, body: text('ef') }, actor)

  expect(await contentOf(path)).toBe('abcdef')
})

test('a body that is too long never makes an upload whole, however it is cut', async () => {
  for (const chunks of [['abcdefg'], ['abcdef', 'g'], ['abc', 'def', 'g'], ['abc', 'defg']]) {
    const { uploads, contentOf } = await openUploads()
    const { id } = await uploads.create({ path, sizeBytes: 6 }, actor)
    const body = streamOf(chunks)
    expect(await refusal(uploads.append(id, { offset: 0, body }, actor))).toMatchObject({
      code: 'UploadLengthMismatch',
    })

    expect(await uploads.find(id, actor)).toMatchObject({ written: undefined })
    expect(await contentOf(path)).toBeUndefined()
  }
})

test('of two writers at one offset the newer takes over, and what came of the older stays', async () => {
  const { uploads, contentOf } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 6 }, actor)
  const older = stalling()
  const first = refusal(uploads.append(id, { offset: 0, body: older.body }, actor))
  await older.send('abc')
  const second = await refusal(uploads.append(id, { offset: 0, body: text('xyz') }, actor))

  expect(await first).toMatchObject({ code: 'WriteConflict' })
  expect(second).toMatchObject({ code: 'OffsetMismatch', context: { Offset: 3 } })
  expect(older.isCancelled()).toBe(true)
  await uploads.append(id, { offset: 3, body: text('def') }, actor)
  expect(await contentOf(path)).toBe('abcdef')
})

test('of many who want to write at once the newest gets the turn, and nothing is mixed', async () => {
  const { uploads, contentOf } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 3 }, actor)
  const outcomes = await Promise.all(
    ['aaa', 'bbb', 'ccc', 'ddd'].map((content) =>
      uploads
        .append(id, { offset: 0, body: streamOf(content.split('')) }, actor)
        .catch((error: { readonly code: string }) => error.code),
    ),
  )

  expect(outcomes.filter((outcome) => typeof outcome === 'object')).toHaveLength(1)
  expect(['aaa', 'bbb', 'ccc', 'ddd']).toContain((await contentOf(path)) ?? '')
})

test('who asks for the offset is told one that no older request passes any more', async () => {
  const { uploads } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 6 }, actor)
  const older = stalling()
  const first = refusal(uploads.append(id, { offset: 0, body: older.body }, actor))
  await older.send('abc')

  expect(await uploads.find(id, actor)).toMatchObject({ offset: 3 })
  expect(await first).toMatchObject({ code: 'WriteConflict' })
})

test('a stranger to the zone finds no upload there, and breaks off nobody', async () => {
  const { uploads } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 6 }, actor)
  const older = stalling()
  const writing = uploads.append(id, { offset: 0, body: older.body }, actor)
  await older.send('abc')
  const stranger = { ...actor, zones: new Set(['other']) }
  for (const attempt of [
    () => uploads.find(id, stranger),
    () => uploads.append(id, { offset: 0, body: text('x') }, stranger),
    () => uploads.cancel(id, stranger),
    () => uploads.find('../../etc/passwd', actor),
    () => uploads.find('', actor),
  ])
    expect(await refusal(attempt())).toMatchObject({ code: 'UploadNotFound' })
  expect(await refusal(uploads.create({ path, sizeBytes: 6 }, stranger))).toMatchObject({
    code: 'ZoneNotFound',
  })

  older.end()
  expect(await writing).toMatchObject({ offset: 3 })
})

test('a body that comes to a standstill, or drips, is let go, and what came of it stays', async () => {
  for (const drops of [[], ['a', 'b', 'c']]) {
    const world = await openUploads()
    const { uploads } = world
    const { id } = await uploads.create({ path, sizeBytes: 900 }, actor)
    const slow = stalling()
    const writing = refusal(uploads.append(id, { offset: 0, body: slow.body }, actor))
    for (const drop of drops) await slow.send(drop)
    await slow.isAwaited()
    world.passTime()

    expect(await writing).toMatchObject({ code: 'InvalidParameter', target: 'body' })
    expect(slow.isCancelled()).toBe(true)
    expect(await uploads.find(id, actor)).toMatchObject({ offset: drops.length })
  }
})

test('an honest slow sender is not let go', async () => {
  const settings = { maxFileBytes: 1e6, maxStagedBytes: 1e6 }
  const given = await openUploads()
  const uploads = given.restart({ settings: { ...given.dependencies.settings, ...settings } })
  const { id } = await uploads.create({ path, sizeBytes: 6000 }, actor)
  const slow = stalling()
  const writing = uploads.append(id, { offset: 0, body: slow.body }, actor)
  for (let minute = 0; minute < 3; minute += 1) {
    await slow.send('x'.repeat(2000))
    given.passTime()
  }
  slow.end()

  expect(await writing).toMatchObject({ offset: 6000, written: { outcome: 'created' } })
})

test('a piece with another checksum is refused, and nothing of it stays', async () => {
  const { uploads, contentOf } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 6 }, actor)
  const sha1 = (content: string) => ({
    algorithm: 'sha1' as const,
    digest: new Bun.CryptoHasher('sha1').update(content).digest(),
  })
  await uploads.append(id, { offset: 0, body: text('abc'), checksum: sha1('abc') }, actor)
  const damaged = { offset: 3, body: text('dEf'), checksum: sha1('def') }
  expect(await refusal(uploads.append(id, damaged, actor))).toMatchObject({
    code: 'ChecksumMismatch',
  })
  const broken = { ...damaged, body: streamOf(['de'], new Error('the line went dead')) }
  expect(await refusal(uploads.append(id, broken, actor))).toMatchObject({ target: 'body' })
  expect(await uploads.find(id, actor)).toMatchObject({ offset: 3 })
  await uploads.append(id, { ...damaged, body: text('def') }, actor)

  expect(await contentOf(path)).toBe('abcdef')
})

test('a file with another checksum than was said is refused, to whoever asks again too, and leaves nothing', async () => {
  const { uploads, contentOf, dependencies, blobs } = await openUploads()
  const expectedSha256 = new Bun.CryptoHasher('sha256').update('abc').digest('hex')
  const { id } = await uploads.create({ path, sizeBytes: 3, expectedSha256 }, actor)
  const refused = await refusal(uploads.append(id, { offset: 0, body: text('abd') }, actor))

  expect(refused).toMatchObject({ code: 'ChecksumMismatch', context: { Expected: expectedSha256 } })
  expect(await refusal(uploads.find(id, actor))).toEqual(refused)
  expect(await contentOf(path)).toBeUndefined()
  expect(await Array.fromAsync(dependencies.staged.list())).toEqual([])
  expect(await Array.fromAsync(blobs.list())).not.toContainEqual(
    expect.objectContaining({ sizeBytes: 3 }),
  )
})

test('a condition is asked when the upload is begun, and again when it is finished', async () => {
  const { uploads, files, contentOf, blobs } = await openUploads()
  const begin = (condition: object) => uploads.create({ path, sizeBytes: 3, condition }, actor)
  expect(await refusal(begin({ is: 'anything' }))).toMatchObject({ code: 'PreconditionFailed' })
  const { id } = await begin({ isNot: 'anything' })
  const { sha256 } = await files.put({ path, source: text('put') }, actor)
  const finish = { offset: 0, body: text('abc') }
  expect(await refusal(uploads.append(id, finish, actor))).toMatchObject({
    code: 'PreconditionFailed',
  })
  expect(await contentOf(path)).toBe('put')
  // What is refused leaves no blob to lie there for days.
  expect(await blobs.stat(sha256Of('abc'))).toBeUndefined()

  expect(await refusal(begin({ is: [sha256Of('abc')] }))).toMatchObject({
    code: 'PreconditionFailed',
  })
  const { id: next } = await begin({ is: [sha256] })
  expect(await uploads.append(next, finish, actor)).toMatchObject({
    written: { outcome: 'updated' },
  })
})

test('what is too large is refused before its bytes are taken, or as soon as it is', async () => {
  const { uploads } = await openUploads()
  const tooLarge = { code: 'PayloadTooLarge', context: { MaxSize: 1000 } }
  expect(await refusal(uploads.create({ path, sizeBytes: 1001 }, actor))).toMatchObject(tooLarge)
  const { id } = await uploads.create({ path, sizeBytes: undefined }, actor)
  const body = streamOf(Array.from({ length: 100 }, () => 'x'.repeat(99)))
  expect(await refusal(uploads.append(id, { offset: 0, body }, actor))).toMatchObject(tooLarge)
  expect((await uploads.find(id, actor)).offset).toBeLessThanOrEqual(1000)

  const grant = { id: 'grant', maxBytes: 10 }
  expect(await refusal(uploads.create({ path, sizeBytes: 11, grant }, actor))).toMatchObject({
    code: 'PayloadTooLarge',
    context: { MaxSize: 10 },
  })
})

test('what lies there of a zone is bounded; another zone has room, and what is let go makes some', async () => {
  const { uploads } = await openUploads()
  const begin = async (name: string) =>
    await uploads.create({ path: parseAssetPath(name), sizeBytes: 1000 }, actor)
  const [a, b, c] = [await begin('acme/v1/a'), await begin('acme/v1/b'), await begin('acme/v1/c')]
  const fill = (id: string, count: number, offset = 0) =>
    uploads.append(
      id,
      { offset, body: streamOf(['x'.repeat(count / 2), 'x'.repeat(count / 2)]) },
      actor,
    )
  await fill(a.id, 900)
  await fill(b.id, 900)
  const full = { code: 'LimitExceeded', context: { Limit: 2000 } }
  expect(await refusal(fill(c.id, 400))).toMatchObject(full)
  expect(await uploads.find(c.id, actor)).toMatchObject({ offset: 200 })
  expect(await refusal(begin('acme/v1/d'))).toMatchObject(full)
  const other = await begin('other/v1/a')
  await fill(other.id, 900)

  await uploads.cancel(a.id, actor)
  expect(await fill(c.id, 400, 200)).toMatchObject({ offset: 600 })
})

test('what lay there before a restart counts', async () => {
  const { uploads, restart } = await openUploads()
  for (const name of ['acme/v1/a', 'acme/v1/b']) {
    const { id } = await uploads.create({ path: parseAssetPath(name), sizeBytes: 1000 }, actor)
    await uploads.append(id, { offset: 0, body: text('x'.repeat(900)) }, actor)
  }

  const begun = restart().create({ path, sizeBytes: 201 }, actor)
  expect(await refusal(begun)).toMatchObject({ code: 'LimitExceeded' })
})

test('uploads that are opened and left are bounded by network and by zone', async () => {
  const { uploads } = await openUploads()
  const begin = (ip: string, zone = 'acme') =>
    uploads.create({ path: `${zone}/v1/a` as AssetPath, sizeBytes: 5 }, { ...actor, ip })
  const begun = await Promise.allSettled(Array.from({ length: 100 }, () => begin('192.0.2.1')))
  expect(begun.filter(({ status }) => status === 'fulfilled')).toHaveLength(8)
  expect(await refusal(begin('192.0.2.1', 'other'))).toMatchObject({
    code: 'LimitExceeded',
    context: { Limit: 8 },
  })
  const { id } = await begin('198.51.100.1')
  await begin('198.51.100.2')
  expect(await refusal(begin('198.51.100.3'))).toMatchObject({ context: { Limit: 10 } })

  await uploads.append(id, { offset: 0, body: text('12345') }, actor)
  expect(await begin('198.51.100.3')).toMatchObject({ offset: 0 })
})

test('an upload lives on with each piece, is over in the end, and leaves nothing', async () => {
  const { uploads, clock, dependencies } = await openUploads()
  const { id, expiresAt } = await uploads.create({ path, sizeBytes: 6 }, actor)
  expect(expiresAt).toEqual(new Date('2026-11-20T13:00:00Z'))
  clock.time = new Date('2026-11-20T12:59:00Z')
  const appended = await uploads.append(id, { offset: 0, body: text('abc') }, actor)
  expect(appended.expiresAt).toEqual(new Date('2026-11-20T13:59:00Z'))
  expect(await uploads.collect()).toBe(0)
  clock.time = new Date('2026-11-20T13:59:00Z')
  const expired = { code: 'UploadExpired' }
  expect(await refusal(uploads.find(id, actor))).toMatchObject(expired)
  expect(await uploads.collect()).toBe(1)

  expect(await Array.fromAsync(dependencies.staged.list())).toEqual([])
  expect(await refusal(uploads.find(id, actor))).toMatchObject(expired)
  clock.time = new Date('2026-11-20T15:00:00Z')
  await uploads.collect()
  expect(await refusal(uploads.find(id, actor))).toMatchObject({ code: 'UploadNotFound' })
})

test('bytes that no record knows are removed, those that are being written are not', async () => {
  const { uploads, dependencies } = await openUploads()
  const leftover = { offset: 0, source: streamOf(['abc']) }
  await dependencies.staged.append('leftover', leftover)
  const { id } = await uploads.create({ path, sizeBytes: 6 }, actor)
  const slow = stalling()
  const writing = uploads.append(id, { offset: 0, body: slow.body }, actor)
  await slow.send('abc')
  expect(await uploads.collect()).toBe(1)
  slow.end()

  expect(await writing).toMatchObject({ offset: 3 })
  expect(await uploads.collect()).toBe(0)
})

test('a cancelled upload is gone, and what was finished stays stored', async () => {
  const { uploads, contentOf } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 3 }, actor)
  await uploads.append(id, { offset: 0, body: text('abc') }, actor)
  await uploads.cancel(id, actor)

  expect(await refusal(uploads.find(id, actor))).toMatchObject({ code: 'UploadNotFound' })
  expect(await contentOf(path)).toBe('abc')
})

test('a zone that is suspended takes no upload, and finishes those it has once it is not', async () => {
  const { uploads, zones, contentOf } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 3 }, actor)
  await zones.update('acme', { suspended: true }, actor)
  const suspended = { code: 'ZoneSuspended' }
  expect(await refusal(uploads.create({ path, sizeBytes: 3 }, actor))).toMatchObject(suspended)
  const piece = { offset: 0, body: text('abc') }
  expect(await refusal(uploads.append(id, piece, actor))).toMatchObject(suspended)
  await zones.update('acme', { suspended: false }, actor)

  expect(await uploads.find(id, actor)).toMatchObject({ written: { outcome: 'created' } })
  expect(await contentOf(path)).toBe('abc')
})

test('another zone of the same name has none of the uploads of the former one', async () => {
  const { uploads, zones } = await openUploads()
  const { id } = await uploads.create({ path, sizeBytes: 3 }, actor)
  await uploads.append(id, { offset: 0, body: text('ab') }, actor)
  await zones.remove('acme', actor)
  await zones.create('acme', actor)

  expect(await refusal(uploads.find(id, actor))).toMatchObject({ code: 'UploadNotFound' })
  expect(await uploads.collect()).toBe(1)
})

const text = (content: string) => new TextEncoder().encode(content)
const sha256Of = (content: string) => new Bun.CryptoHasher('sha256').update(content).digest('hex')

const refusal = async (promise: Promise<unknown>): Promise<unknown> =>
  await promise.then(
    (value) => ({ value }),
    (error: unknown) => error,
  )

/** Ends, or fails after the last chunk. */
const streamOf = (chunks: readonly string[], failure?: Error): ReadableStream<Uint8Array> => {
  const left = chunks.map(text)
  return new ReadableStream({
    pull(controller) {
      const chunk = left.shift()
      if (chunk !== undefined) controller.enqueue(chunk)
      else if (failure === undefined) controller.close()
      else controller.error(failure)
    },
  })
}

/** A body that comes when it is told to. */
function stalling() {
  let isCancelled = false
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined
  let awaited = Promise.withResolvers<void>()
  const body = new ReadableStream<Uint8Array>(
    {
      start: (given) => void (controller = given),
      pull: () => awaited.resolve(),
      cancel: () => void (isCancelled = true),
    },
    { highWaterMark: 0 },
  )
  return {
    body,
    isCancelled: () => isCancelled,
    isAwaited: () => awaited.promise,
    /** Resolves once it has been taken and more is wanted. */
    async send(content: string) {
      await awaited.promise
      awaited = Promise.withResolvers()
      controller?.enqueue(text(content))
      await awaited.promise
    },
    end: () => controller?.close(),
  }
}
