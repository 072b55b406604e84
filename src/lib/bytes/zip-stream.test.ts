import { expect, test } from 'bun:test'

import { centralHeader, dataDescriptor, endOfDirectory, localHeader } from './zip-headers.ts'
import { zipBytes, type ZipFile, zipStream } from './zip-stream.ts'

const at = new Date('2026-11-23T10:20:30Z')

const file = (name: string, body: Uint8Array, changes: Partial<ZipFile> = {}): ZipFile => ({
  name,
  sizeBytes: body.length,
  modifiedAt: at,
  isCompressible: false,
  open: async () => new Blob([new Uint8Array(body)]).stream(),
  ...changes,
})

const collect = async (files: readonly ZipFile[]) =>
  new Uint8Array(await new Response(await Array.fromAsync(zipStream(files)).then(joined)).bytes())

const joined = (chunks: readonly Uint8Array[]) =>
  new Blob(chunks.map((each) => new Uint8Array(each)))

test('the length is known before, unless something is compressed', async () => {
  const large = file('large.bin', new Uint8Array(5 * 2 ** 20).fill(7))
  const stored = [file('a.jpg', new Uint8Array(10)), large, file('ü.jpg', new Uint8Array(0))]
  expect((await collect(stored)).length).toBe(zipBytes(stored) ?? 0)
  const text = file('a.txt', new Uint8Array(10_000).fill(65), { isCompressible: true })
  expect(zipBytes([text])).toBeUndefined()
  expect((await collect([text])).length).toBeLessThan(300)
  expect((await collect([])).length).toBe(zipBytes([]) ?? 0)
})

test('bytes of another number than was said break it off', async () => {
  for (const sizeBytes of [2, 4, 6 * 2 ** 20]) {
    const wrong = file('a.jpg', new Uint8Array(3), { sizeBytes })
    expect(collect([wrong])).rejects.toThrow('should have')
  }
})

const entry = {
  name: new TextEncoder().encode('a'),
  offset: 0,
  modifiedAt: at,
  sizeBytes: 1,
  storedBytes: 1,
  isDeflated: false,
  isStreamed: false,
  crc: 0x12345678,
}

test('numbers beyond 32 bits are in the fields of ZIP64', () => {
  const large = { ...entry, sizeBytes: 5 * 2 ** 30, storedBytes: 5 * 2 ** 30, offset: 2 ** 33 }
  const view = (bytes: Uint8Array) => new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const central = view(centralHeader(large))
  expect([central.getUint32(20, true), central.getUint32(42, true)]).toEqual([
    2 ** 32 - 1,
    2 ** 32 - 1,
  ])
  // After the name and the field of the time: size, stored size, offset.
  const extra = 46 + 1 + 9
  expect(central.getUint16(extra, true)).toBe(1)
  expect(central.getBigUint64(extra + 4, true)).toBe(5n * 2n ** 30n)
  expect(central.getBigUint64(extra + 20, true)).toBe(2n ** 33n)
  expect(dataDescriptor(large)).toHaveLength(24)
  expect(dataDescriptor(entry)).toHaveLength(16)
  const local = view(localHeader({ ...large, isStreamed: true }))
  expect([local.getUint16(4, true), local.getUint16(6, true)]).toEqual([45, 0x808])
  const end = view(endOfDirectory({ count: 70_000, offset: 100, end: 200 }))
  expect(end.getUint32(0, true)).toBe(0x06064b50)
  expect(end.getBigUint64(24, true)).toBe(70_000n)
  expect(endOfDirectory({ count: 2, offset: 100, end: 200 })).toHaveLength(22)
})
