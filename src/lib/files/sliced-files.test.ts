import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type ContentFiles, openContentFiles, WrongContentError } from './content-files.ts'
import type { Span } from './sliced-bytes.ts'
import { type FetchSlice, SlicedFiles, sliceBytes, sliceMeaning } from './sliced-files.ts'

const sha256 = 'ab'.repeat(32)
const lastBytes = 1_234
const sizeBytes = 6 * sliceBytes + lastBytes
const file = { sha256, sizeBytes }

/** So that every place has bytes of its own. */
const content = new Uint8Array(sizeBytes)
for (let place = 0; place < sizeBytes; place += 4)
  new DataView(content.buffer).setUint16(place, Bun.hash.crc32(String(place)) % 65_536)

const placesOf = (spans: readonly Span[]) =>
  spans.map(({ start }) => start / sliceBytes).toSorted((one, other) => one - other)

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-slices-'))
  const asked: Span[] = []
  const respond: FetchSlice = async (_file, span) => content.slice(span.start, span.end)
  const open = async (given: { readonly maxBytes?: number; readonly fetch?: FetchSlice } = {}) => {
    const files: ContentFiles = await openContentFiles({
      directory,
      maxBytes: given.maxBytes ?? 1e9,
      now: () => 0,
      meaningOf: sliceMeaning,
      onEvict: (name) => void files.remove(name),
    })
    const fetchSlice: FetchSlice = (which, span, signal) => {
      asked.push(span)
      return (given.fetch ?? respond)(which, span, signal)
    }
    return { files, slices: new SlicedFiles({ files, fetchSlice }) }
  }
  return {
    directory,
    asked,
    open,
    namesThere: async () => {
      const names = await Array.fromAsync(new Bun.Glob('ab/*').scan(directory))
      return names.toSorted()
    },
    [Symbol.asyncDispose]: () => rm(directory, { recursive: true, force: true }),
  }
}

test('only the slices of what is read are fetched, once for all who read them', async () => {
  await using world = await setUp()
  const { slices } = await world.open()
  const whole = slices.open(file)
  const start = 2 * sliceBytes - 100
  const part = whole.slice(start, start + 200)
  const all = await Promise.all([part.bytes(), part.bytes(), new Response(part.stream()).bytes()])

  for (const bytes of all) expect(bytes).toEqual(content.slice(start, start + 200))
  expect(placesOf(world.asked)).toEqual([1, 2])
  expect(await whole.slice(0, 3).bytes()).toEqual(content.slice(0, 3))
  expect(placesOf(world.asked)).toEqual([0, 1, 2])
})

test('any part of a part is what it is of a Blob', async () => {
  await using world = await setUp()
  const { slices } = await world.open()
  const whole = slices.open(file)
  const blob = new Blob([content])
  let seed = 7
  const random = (below: number) => {
    seed = (seed * 48_271) % 2_147_483_647
    return seed % below
  }
  for (let round = 0; round < 40; round += 1) {
    const start = random(sizeBytes + 10)
    const end = start + random(3 * sliceBytes)
    const [from, to] = [random(2_000), random(2_000)]
    const ours = whole.slice(start, end)
    const theirs = blob.slice(start, end)
    expect(ours.size).toBe(theirs.size)
    expect(await ours.slice(from, to).bytes()).toEqual(await theirs.slice(from, to).bytes())
    expect(Bun.hash(await new Response(ours.stream()).bytes())).toBe(Bun.hash(await theirs.bytes()))
  }
})

test('few slices are on their way before a reader comes to them, and none after it has left', async () => {
  await using world = await setUp()
  const pending: AbortSignal[] = []
  const { slices } = await world.open({
    async fetch(_file, span, signal) {
      if (span.start === 0) return content.slice(span.start, span.end)
      pending.push(signal)
      await new Promise((_resolve, reject) => {
        signal.addEventListener('abort', () => reject(signal.reason as Error))
      })
      throw new Error('unreachable')
    },
  })
  const reader = slices.open(file).stream().getReader()
  expect((await reader.read()).value).toEqual(content.slice(0, 256 * 1024))
  expect(placesOf(world.asked)).toEqual([0, 1, 2, 3])

  expect(pending).toHaveLength(3)
  const aborted = pending.map(
    (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
      }),
  )
  await reader.cancel()
  await Promise.all(aborted)
  expect(world.asked).toHaveLength(4)
})

test('a slice that another reader waits for is fetched to its end though the first one has left', async () => {
  await using world = await setUp()
  const gate = Promise.withResolvers<void>()
  const begun = Promise.withResolvers<void>()
  const { slices } = await world.open({
    async fetch(_file, span, signal) {
      begun.resolve()
      await gate.promise
      signal.throwIfAborted()
      return content.slice(span.start, span.end)
    },
  })
  const part = slices.open(file).slice(0, 10)
  const staying = part.bytes()
  await begun.promise
  const reader = part.stream().getReader()
  const left = reader.read()
  await reader.cancel()
  gate.resolve()

  expect(await staying).toEqual(content.slice(0, 10))
  expect((await left).done).toBe(true)
  expect(world.asked).toHaveLength(1)
})

test('what an earlier process left is used once it was checked, and fetched again where it is spoilt', async () => {
  await using world = await setUp()
  const part = [sliceBytes, sliceBytes + 10] as const
  {
    const { files, slices } = await world.open()
    await slices
      .open(file)
      .slice(0, 3 * sliceBytes)
      .bytes()
    await files[Symbol.asyncDispose]()
  }
  const names = await world.namesThere()
  expect(names).toHaveLength(3)
  await writeFile(join(world.directory, names[1] ?? ''), 'spoilt')
  world.asked.length = 0
  const { slices } = await world.open()

  expect(await slices.sizeOf(sha256)).toBe(sizeBytes)
  expect(await slices.sizeOf('cd'.repeat(32))).toBeUndefined()
  expect(
    await slices
      .open(file)
      .slice(...part)
      .bytes(),
  ).toEqual(content.slice(...part))
  expect(await slices.open(file).slice(0, 5).bytes()).toEqual(content.slice(0, 5))
  expect(placesOf(world.asked)).toEqual([1])
})

test('a file larger than the room goes through it, and no more than the room stays', async () => {
  await using world = await setUp()
  const maxBytes = 2 * sliceBytes + 10
  const { files, slices } = await world.open({ maxBytes })
  const read = await new Response(slices.open(file).stream()).bytes()
  await files.settled()

  expect(Bun.hash(read)).toBe(Bun.hash(content))
  expect(files.sizeBytes).toBeLessThanOrEqual(maxBytes)
  expect((await world.namesThere()).length).toBeLessThanOrEqual(3)
})

test('what is shorter than it should be, or other than it was, is refused and not kept', async () => {
  await using world = await setUp()
  let respond = (span: Span) => content.slice(span.start, span.end - 1)
  const { files, slices } = await world.open({ fetch: async (_file, span) => respond(span) })
  const part = slices.open(file).slice(0, 5)
  expect(part.bytes()).rejects.toThrow(WrongContentError)
  await part.bytes().catch(() => undefined)

  respond = (span) => content.slice(span.start, span.end)
  await part.bytes()
  for (const name of files.names()) await files.remove(name)
  respond = (span) => new Uint8Array(span.end - span.start)
  expect(part.bytes()).rejects.toThrow('Other bytes')
  await part.bytes().catch(() => undefined)
  expect(await readdir(join(world.directory, 'incoming'))).toEqual([])
})

test('an origin that is lost on the way breaks a stream off, and what was fetched is there', async () => {
  await using world = await setUp()
  const { slices } = await world.open({
    async fetch(_file, span) {
      if (span.start >= 2 * sliceBytes) throw new Error('the origin is away')
      return content.slice(span.start, span.end)
    },
  })
  const whole = slices.open(file)

  expect(new Response(whole.stream()).bytes()).rejects.toThrow('the origin is away')
  expect(await whole.slice(10, 20).bytes()).toEqual(content.slice(10, 20))
})

test('what is removed is not here any more', async () => {
  await using world = await setUp()
  const { slices } = await world.open()
  await slices.open(file).slice(0, 10).bytes()
  await slices.remove(sha256)

  expect(await world.namesThere()).toEqual([])
  expect(await slices.sizeOf(sha256)).toBeUndefined()
})
