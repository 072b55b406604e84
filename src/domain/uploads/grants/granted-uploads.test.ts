import { expect, test } from 'bun:test'

import type { AssetPath } from '../../content/asset-path.ts'
import { actor } from '../uploads.fixture.ts'
import { grantRequest, holderOf, openGrants, png } from './grants.fixture.ts'

type Given = Parameters<typeof grantRequest>[0]

const path = 'acme/v1/logos/a.png' as AssetPath
const text = (given: string) => new TextEncoder().encode(given)
const terms = (given: object = {}) => ({ path, sizeBytes: undefined, ...given })
const upTo = (length: number) => new Uint8Array(length).fill(0x61)

async function setUp(given?: Given) {
  const world = await openGrants()
  const { record } = await world.grants.create(grantRequest(given), actor)
  const listed = async () => {
    const page = { zone: undefined, offset: 0, limit: 1 }
    const [first] = (await world.grants.list(page, actor)).grants
    return first && { open: first.openCount, stored: first.storedCount }
  }
  return { ...world, record, holder: holderOf(record), listed }
}

test('a file is stored with a grant, in its name', async () => {
  const { granted, holder, contentOf, database, record, listed } = await setUp()
  const written = await granted.store(terms(), text('hello'), holder)

  expect(written).toMatchObject({ path, outcome: 'created', sizeBytes: 5 })
  expect(await contentOf(path)).toBe('hello')
  const put = database.audit.find(({ action }) => action === 'storage.put')
  expect(put?.actor).toBe(`grant:${record.id}`)
  expect(await listed()).toEqual({ open: 0, stored: 1 })
})

test('a grant for one file is used up by it, an empty one too', async () => {
  for (const bytes of ['hello', '']) {
    const { granted, holder } = await setUp({ overwrites: true })
    await granted.store(terms({ sizeBytes: bytes.length }), text(bytes), holder)

    await expect(granted.store(terms(), text('again'), holder)).rejects.toMatchObject({
      code: 'Forbidden',
    })
    await expect(granted.create(terms(), holder)).rejects.toMatchObject({ code: 'Forbidden' })
  }
})

test('of many uploads at once as many succeed as the grant has uses', async () => {
  const given = { path: undefined, prefix: 'acme/v1/up/', times: 3 }
  const { granted, holder, catalog, listed } = await setUp(given)
  const all = await Promise.allSettled(
    Array.from({ length: 100 }, (_, place) =>
      granted.store(terms({ path: `acme/v1/up/${place}.txt` }), text('a'), holder),
    ),
  )

  expect(all.filter(({ status }) => status === 'fulfilled')).toHaveLength(3)
  const stored = all.flatMap((_, place) => catalog.asset(`acme/v1/up/${place}.txt`) ?? [])
  expect(stored).toHaveLength(3)
  expect(await listed()).toEqual({ open: 0, stored: 3 })
})

test('an upload holds its use from its beginning, and a cancelled one gives it back', async () => {
  const { granted, holder, listed } = await setUp()
  const upload = await granted.create(terms({ sizeBytes: 10 }), holder)
  await granted.append(upload.id, { offset: 0, body: upTo(4) }, holder)

  expect(await listed()).toEqual({ open: 1, stored: 0 })
  await expect(granted.create(terms(), holder)).rejects.toMatchObject({ code: 'Forbidden' })
  await granted.cancel(upload.id, holder)
  expect(await listed()).toEqual({ open: 0, stored: 0 })
  const { id } = await granted.create(terms({ sizeBytes: 4 }), holder)
  const { written } = await granted.append(id, { offset: 0, body: upTo(4) }, holder)
  expect(written?.sizeBytes).toBe(4)
})

test('an upload that breaks off gives its use back where nobody can go on with it', async () => {
  const { granted, holder, listed, dependencies } = await setUp()
  const broken = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(upTo(4)),
    pull: (controller) => controller.error(new Error('gone')),
  })
  await expect(granted.store(terms(), broken, holder)).rejects.toMatchObject({
    code: 'InvalidParameter',
  })

  expect(await listed()).toEqual({ open: 0, stored: 0 })
  expect(await Array.fromAsync(dependencies.staged.list())).toEqual([])
  await granted.store(terms(), text('again'), holder)
})

test('an upload whose time is over gives its use back', async () => {
  const { granted, holder, uses, wait, listed } = await setUp({
    expiresAt: new Date('2026-11-25T12:00:00Z'),
  })
  await granted.create(terms({ sizeBytes: 10 }), holder)
  await uses.settle()
  expect(await listed()).toEqual({ open: 1, stored: 0 })
  wait(3_600_000)
  await uses.settle()

  expect(await listed()).toEqual({ open: 0, stored: 0 })
})

test('what a killed process was taking whole is given back at the start, and nothing else', async () => {
  const given = { path: undefined, prefix: 'acme/v1/up/', times: 5 }
  const { granted, holder, store, dependencies, record, restart, listed } = await setUp(given)
  const target = (name: string) => terms({ path: `acme/v1/up/${name}`, sizeBytes: 10 })
  const resumable = await granted.create(target('a'), holder)
  await granted.append(resumable.id, { offset: 0, body: upTo(4) }, holder)
  // A use that was taken, and no upload; and an upload that ends with its request.
  await store.takeUse(record.id, 'never-begun')
  const atOnce = await granted.create(target('b'), holder)
  const known = await dependencies.store.find(atOnce.id)
  if (known?.grant === undefined) throw new Error('not recorded')
  await dependencies.store.replace({ ...known, grant: { ...known.grant, isAtOnce: true } })
  expect(await listed()).toEqual({ open: 3, stored: 0 })

  const next = restart()
  await next.uses.settle(true)
  expect(await listed()).toEqual({ open: 1, stored: 0 })
  await next.granted.append(resumable.id, { offset: 4, body: upTo(6) }, holder)
  expect(await listed()).toEqual({ open: 0, stored: 1 })
})

test('nothing is replaced unless the grant says so', async () => {
  for (const overwrites of [false, true]) {
    const { granted, files, holder, contentOf, listed } = await setUp({ overwrites })
    await files.put({ path, source: text('first') }, actor)
    const second = granted.store(terms(), text('second'), holder)
    if (overwrites) await second
    else await expect(second).rejects.toMatchObject({ code: 'PreconditionFailed' })

    expect(await contentOf(path)).toBe(overwrites ? 'second' : 'first')
    expect(await listed()).toEqual({ open: 0, stored: overwrites ? 1 : 0 })
  }
})

test('a file that comes to be there meanwhile is not replaced either', async () => {
  const { granted, files, holder, contentOf, listed } = await setUp()
  const { id } = await granted.create(terms({ sizeBytes: 4 }), holder)
  await files.put({ path, source: text('first') }, actor)

  await expect(granted.append(id, { offset: 0, body: text('late') }, holder)).rejects.toMatchObject(
    { code: 'PreconditionFailed' },
  )
  expect(await contentOf(path)).toBe('first')
  expect(await listed()).toEqual({ open: 0, stored: 0 })
})

test('a grant is for its own path', async () => {
  const { granted, holder } = await setUp()
  for (const other of ['acme/v1/logos/b.png', 'other/v1/logos/a.png'])
    await expect(granted.store(terms({ path: other }), text('a'), holder)).rejects.toMatchObject({
      code: 'Forbidden',
    })
})

test('who has no key is not told how other files are called', async () => {
  const given = { path: undefined, prefix: 'acme/v1/logos/' }
  const { granted, files, holder } = await setUp(given)
  await files.put({ path: 'acme/v1/logos/Secret.txt' as AssetPath, source: text('a') }, actor)
  const other = 'acme/v1/logos/secret.txt'
  const refused = granted.store(terms({ path: other }), text('a'), holder)

  await expect(refused).rejects.toMatchObject({
    code: 'PathConflict',
    message: 'No file can be stored under this name',
  })
})

test('a size over that of the grant is refused before a byte is taken', async () => {
  const { granted, holder, listed } = await setUp({ maxBytes: 10 })
  for (const sizeBytes of [11, 2 ** 53, Number.NaN, -1])
    await expect(granted.create(terms({ sizeBytes }), holder)).rejects.toThrow()

  expect(await listed()).toEqual({ open: 0, stored: 0 })
})

test('bytes beyond the grant end the upload at that moment, and nothing stays', async () => {
  for (const isAtOnce of [true, false]) {
    const { granted, holder, listed, dependencies, catalog } = await setUp({ maxBytes: 10 })
    const taken: number[] = []
    const endless = new ReadableStream<Uint8Array>({
      pull(controller) {
        taken.push(1)
        controller.enqueue(upTo(4))
      },
    })
    const { id } = isAtOnce ? { id: '' } : await granted.create(terms(), holder)
    const refused = isAtOnce
      ? granted.store(terms(), endless, holder)
      : granted.append(id, { offset: 0, body: endless }, holder)

    await expect(refused).rejects.toMatchObject({ code: 'PayloadTooLarge' })
    expect(taken.length).toBeLessThan(8)
    expect(catalog.asset(path)).toBeUndefined()
    expect(await Array.fromAsync(dependencies.staged.list())).toEqual([])
    expect(await listed()).toEqual({ open: 0, stored: 0 })
    if (!isAtOnce)
      await expect(granted.find(id, holder)).rejects.toMatchObject({ code: 'UploadNotFound' })
  }
})

test.each([
  { bytes: png, types: ['image/*'], stored: 'image/png' },
  { bytes: png, types: ['image/png'], stored: 'image/png' },
  { bytes: png, types: ['*/*'], stored: 'image/png' },
  { bytes: text('hello'), types: ['text/*'], stored: 'text/plain; charset=utf-8' },
])(
  'what is of an allowed type is stored as what it is: $types',
  async ({ bytes, types, stored }) => {
    for (const name of ['a.png', 'a.jpg', 'a.bin', 'a']) {
      const given = { path: undefined, prefix: 'acme/v1/up/', types }
      const { granted, holder, catalog } = await setUp(given)
      const target = `acme/v1/up/${name}`
      await granted.store(terms({ path: target }), bytes, holder)

      expect(catalog.asset(target)?.contentType).toBe(stored)
    }
  },
)

test('of texts the name says which, and an image that is called a page is an image', async () => {
  const given = { path: undefined, prefix: 'acme/v1/up/', types: ['text/*', 'image/*'], times: 3 }
  const { granted, holder, catalog } = await setUp(given)
  for (const [name, bytes, type] of [
    ['a.css', text('a {}'), 'text/css; charset=utf-8'],
    ['a.html', png, 'image/png'],
    ['a.svg', text('<p>hello</p>'), 'text/html; charset=utf-8'],
  ] as const) {
    const target = `acme/v1/up/${name}`
    await granted.store(terms({ path: target }), bytes, holder)
    expect(catalog.asset(target)?.contentType).toBe(type)
  }
})

test.each([
  ['a page', text('<!doctype html><script>alert(1)</script>')],
  ['a program', new Uint8Array(Buffer.from('7f454c4602010100', 'hex'))],
  ['an empty file', text('')],
  ['a text', text('hello')],
])('%s that calls itself an image is no image', async (_what, bytes) => {
  const { granted, holder, catalog, listed, dependencies } = await setUp({ types: ['image/*'] })
  const called = { contentType: 'image/png' }

  await expect(granted.store(terms(called), bytes, holder)).rejects.toMatchObject({
    code: 'UnsupportedMediaType',
  })
  const pieces = granted.create(terms({ ...called, sizeBytes: bytes.length }), holder)
  const refused = pieces.then(({ id }) => granted.append(id, { offset: 0, body: bytes }, holder))
  await expect(refused).rejects.toMatchObject({ code: 'UnsupportedMediaType' })
  expect(catalog.asset(path)).toBeUndefined()
  expect(await Array.fromAsync(dependencies.staged.list())).toEqual([])
  expect(await listed()).toEqual({ open: 0, stored: 0 })
})

test('bytes of another type are refused as soon as they can be told, and the rest is not taken', async () => {
  const { granted, holder } = await setUp({ types: ['image/*'] })
  let taken = 0
  const endless = new ReadableStream<Uint8Array>({
    pull(controller) {
      taken += 512
      controller.enqueue(upTo(512))
    },
  })

  await expect(granted.store(terms(), endless, holder)).rejects.toMatchObject({
    code: expect.stringMatching(/UnsupportedMediaType|PayloadTooLarge/u),
  })
  expect(taken).toBeLessThan(20_000)
})

test('the type is told from the first bytes, in however small pieces they come', async () => {
  const { granted, holder, catalog } = await setUp({ types: ['image/png'] })
  const { id } = await granted.create(terms({ sizeBytes: png.length }), holder)
  for (let offset = 0; offset < png.length; offset += 1)
    await granted.append(id, { offset, body: png.subarray(offset, offset + 1) }, holder)

  expect(catalog.asset(path)?.contentType).toBe('image/png')
})

test('a revoked grant ends its uploads, at whatever step they are', async () => {
  const { granted, grants, holder, record, dependencies, catalog } = await setUp()
  const { id } = await granted.create(terms({ sizeBytes: 10 }), holder)
  await granted.append(id, { offset: 0, body: upTo(4) }, holder)
  const waiting = Promise.withResolvers<void>()
  const slow = new ReadableStream<Uint8Array>({
    start: (controller) => controller.enqueue(upTo(4)),
    pull: () => waiting.resolve(),
  })
  const appending = granted.append(id, { offset: 4, body: slow }, holder)
  await waiting.promise
  await grants.revoke(record.id, actor)

  await expect(appending).rejects.toThrow()
  await expect(granted.find(id, holder)).rejects.toMatchObject({ code: 'UploadNotFound' })
  await expect(granted.create(terms(), holder)).rejects.toMatchObject({ code: 'Unauthorized' })
  expect(await Array.fromAsync(dependencies.staged.list())).toEqual([])
  expect(catalog.asset(path)).toBeUndefined()
})

test('bytes that are whole after their grant ended are not stored', async () => {
  const { granted, uploads, holder, record, store, catalog } = await setUp()
  const { id } = await granted.create(terms({ sizeBytes: 4 }), holder)
  // As if it was revoked between the last byte and the commit.
  await store.remove(record.id, {} as never)

  await expect(uploads.append(id, { offset: 0, body: upTo(4) }, holder)).rejects.toMatchObject({
    code: 'Unauthorized',
  })
  expect(catalog.asset(path)).toBeUndefined()
})

test('an upload with a grant is not to be found with another one', async () => {
  const { granted, grants, holder } = await setUp()
  const other = await grants.create(grantRequest({ path: 'acme/v1/logos/b.png' }), actor)
  const stranger = holderOf(other.record)
  const { id } = await granted.create(terms({ sizeBytes: 10 }), holder)
  const keyed = await granted.create(terms({ path: 'acme/v1/logos/c.png', sizeBytes: 1 }), actor)

  for (const upload of [id, keyed.id, 'none']) {
    const piece = { offset: 0, body: upTo(1) }
    for (const task of [
      () => granted.find(upload, stranger),
      () => granted.append(upload, piece, stranger),
      () => granted.cancel(upload, stranger),
    ])
      await expect(task()).rejects.toMatchObject({ code: 'UploadNotFound' })
  }
  expect((await granted.find(id, actor)).offset).toBe(0)
})

test('who has a key uploads as before', async () => {
  const { granted, contentOf } = await setUp()
  await granted.store(terms(), text('hello'), actor)
  await granted.store(terms(), text('again'), actor)

  expect(await contentOf(path)).toBe('again')
})

test('what the grant says of its files is known of them, in the commit that stores them', async () => {
  const metadata = { title: 'From a guest', tags: ['guest'], alt: { en: 'A photo' } }
  const { granted, holder, catalog, content } = await setUp({
    metadata: { kind: 'set', patch: metadata },
  })
  const before = await content.head()
  await granted.store(terms(), text('hello'), holder)

  expect(catalog.asset(path)?.metadata).toMatchObject(metadata)
  expect(catalog.asset(path)?.commitId).toBe((await content.head()) ?? '')
  expect((await Array.fromAsync(content.commitsAfter(before))).length).toBe(1)
})
