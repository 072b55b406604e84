import { expect, test } from 'bun:test'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { type ContentFiles, openContentFiles, WrongContentError } from './content-files.ts'
import { firstPieceBytes } from './first-pieces.ts'
import type { FetchSlice, Span } from './sliced-bytes.ts'
import { SlicedFiles, sliceBytes, sliceMeaning } from './sliced-files.ts'

const sha256 = 'ab'.repeat(32)
const lastBytes = 1_234
const sizeBytes = 6 * sliceBytes + lastBytes
const file = { sha256, sizeBytes }

/** So that every place has bytes of its own. */
const content = new Uint8Array(sizeBytes)
for (let place = 0; place < sizeBytes; place += 4)
  new DataView(content.buffer).setUint16(place, Bun.hash.crc32(String(place)) % 65_536)

/** The places of the slices that were asked for whole. */
const placesOf = (spans: readonly Span[]) =>
  spans
    .filter(({ start, end }) => end - start > firstPieceBytes || end === sizeBytes)
    .map(({ start }) => start / sliceBytes)
    .toSorted((one, other) => one - other)

const piecesOf = (spans: readonly Span[]) =>
  spans.filter(({ start, end }) => end - start <= firstPieceBytes && end !== sizeBytes)

const pieceAt = (start: number): Span => ({ start, end: start + firstPieceBytes })

async function setUp() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-slices-'))
  const asked: Span[] = []
  const put: (() => void)[] = []
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
    return { files, slices: new SlicedFiles({ files, fetchSlice, soon: (work) => put.push(work) }) }
  }
  return {
    directory,
    asked,
    open,
    /** Begins what was put off. */
    aMomentLater() {
      for (const work of put.splice(0)) work()
    },
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
  expect(piecesOf(world.asked)).toEqual([{ start, end: 2 * sliceBytes }])
  expect(placesOf(world.asked)).toEqual([2])
  world.aMomentLater()
  const both = [sliceBytes, 3 * sliceBytes] as const
  expect(Bun.hash(await whole.slice(...both).bytes())).toBe(Bun.hash(content.slice(...both)))
  expect(placesOf(world.asked)).toEqual([1, 2])
  expect(await whole.slice(0, 3).bytes()).toEqual(content.slice(0, 3))
  await whole.slice(sliceBytes - 3, sliceBytes).bytes()
  expect(placesOf(world.asked)).toEqual([0, 1, 2])
  expect(piecesOf(world.asked)).toHaveLength(2)
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
  expect((await reader.read()).value).toEqual(content.slice(0, firstPieceBytes))
  expect(piecesOf(world.asked)).toEqual([pieceAt(0)])
  expect(placesOf(world.asked)).toEqual([1, 2, 3])

  expect(pending).toHaveLength(3)
  const aborted = pending.map(
    (signal) =>
      new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
      }),
  )
  await reader.cancel()
  await Promise.all(aborted)
  world.aMomentLater()
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
  await slices.open(file).slice(0, sliceBytes).bytes()
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

test('first bytes do not wait for their slice, and readers of ranges that overlap share both', async () => {
  await using world = await setUp()
  const gate = Promise.withResolvers<void>()
  const { slices } = await world.open({
    async fetch(_file, { start, end }) {
      if (end - start > firstPieceBytes) await gate.promise
      return content.slice(start, end)
    },
  })
  const whole = slices.open(file)
  const start = sliceBytes + 300_000
  const end = start + 3 * firstPieceBytes
  const readers = [start, start + 1_000, start + firstPieceBytes].map((from) =>
    whole.slice(from, end).stream().getReader(),
  )
  const [first, second] = await Promise.all(readers.slice(0, 2).map((reader) => reader.read()))
  const third = readers[2]?.read()
  expect(first?.value).toEqual(content.slice(start, start + firstPieceBytes))
  expect(second?.value).toEqual(content.slice(start + 1_000, start + firstPieceBytes))
  const rest = readers.slice(0, 2).map((reader) => reader.read())
  gate.resolve()

  for (const read of [...rest, third])
    expect((await read)?.value).toEqual(content.slice(start + firstPieceBytes, end))
  world.aMomentLater()
  expect(piecesOf(world.asked)).toEqual([pieceAt(start)])
  expect(placesOf(world.asked)).toEqual([1])
})

test('the slice of a small range is fetched in a moment, unless its reader has left or all is over', async () => {
  await using world = await setUp()
  const { slices } = await world.open()
  const whole = slices.open(file)
  const leaving = whole.slice(0, 10).stream().getReader()
  await leaving.read()
  await leaving.cancel()
  await whole.slice(sliceBytes, sliceBytes + 10).bytes()
  expect(placesOf(world.asked)).toEqual([])
  world.aMomentLater()
  await whole.slice(2 * sliceBytes - 1, 2 * sliceBytes).bytes()
  expect(placesOf(world.asked)).toEqual([1])

  await whole.slice(2 * sliceBytes, 2 * sliceBytes + 10).bytes()
  slices[Symbol.dispose]()
  world.aMomentLater()
  expect(placesOf(world.asked)).toEqual([1])
})

test('a slice that is not what its first piece was breaks the reader off and is not kept', async () => {
  await using world = await setUp()
  let isRight = false
  const { slices } = await world.open({
    async fetch(_file, { start, end }) {
      const isPiece = end - start <= firstPieceBytes
      return isPiece || isRight ? content.slice(start, end) : new Uint8Array(end - start)
    },
  })
  const whole = slices.open(file)
  const reader = whole.slice(0, sliceBytes).stream().getReader()
  expect((await reader.read()).value).toEqual(content.slice(0, firstPieceBytes))
  expect(reader.read()).rejects.toThrow('Other bytes')
  await reader.closed.catch(() => undefined)
  expect(await world.namesThere()).toEqual([])

  isRight = true
  const all = await whole.slice(0, sliceBytes).bytes()
  expect(Bun.hash(all)).toBe(Bun.hash(content.slice(0, sliceBytes)))
})

test('a first piece that cannot be had is refused before a byte is passed on, and asked for again', async () => {
  await using world = await setUp()
  let isAway = true
  const { slices } = await world.open({
    async fetch(_file, { start, end }) {
      if (isAway) throw new Error('Some bytes did not arrive as they were')
      return content.slice(start, end)
    },
  })
  const part = slices.open(file).slice(100, 110)
  expect(part.bytes()).rejects.toThrow('did not arrive')
  await part.bytes().catch(() => undefined)
  isAway = false

  expect(await part.bytes()).toEqual(content.slice(100, 110))
})

test('an origin that goes after the first piece breaks the reader off there', async () => {
  await using world = await setUp()
  const { slices } = await world.open({
    async fetch(_file, { start, end }) {
      if (end - start > firstPieceBytes) throw new Error('the origin is away')
      return content.slice(start, end)
    },
  })
  const reader = slices.open(file).slice(500, sliceBytes).stream().getReader()

  expect((await reader.read()).value).toEqual(content.slice(500, 500 + firstPieceBytes))
  expect(reader.read()).rejects.toThrow('the origin is away')
  await reader.closed.catch(() => undefined)
  expect(await world.namesThere()).toEqual([])
})

test('first pieces do not queue behind whole slices', async () => {
  await using world = await setUp()
  const { slices } = await world.open({
    async fetch(_file, { start, end }, signal) {
      if (end - start > firstPieceBytes)
        await new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error))
        })
      return content.slice(start, end)
    },
  })
  const readers = ['11', '22', '33', '44', '55', '66'].map((byte) =>
    slices
      .open({ sha256: byte.repeat(32), sizeBytes })
      .stream()
      .getReader(),
  )
  for (const reader of readers) await reader.read()
  expect(placesOf(world.asked)).toHaveLength(16)

  const last = slices.open(file).slice(5 * sliceBytes, 5 * sliceBytes + 10)
  expect(await last.bytes()).toEqual(content.slice(5 * sliceBytes, 5 * sliceBytes + 10))
  for (const reader of readers) await reader.cancel()
})
