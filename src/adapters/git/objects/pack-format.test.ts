import { expect, test } from 'bun:test'
import fc from 'fast-check'
import { crc32, inflateSync } from 'node:zlib'

import { objectHeader, packIndex, packObject } from './pack-format.ts'

/** The inverse of a header, after gitformat-pack(5). */
function readHeader(bytes: Buffer) {
  let [byte = 0] = bytes
  const type = (byte >> 4) & 7
  let size = byte & 15
  let scale = 16
  for (let index = 1; byte & 0x80; index += 1) {
    byte = bytes[index] ?? 0
    size += (byte & 0x7f) * scale
    scale *= 128
  }
  return { type, size }
}

test('a header tells kind and size, however large', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 2 ** 40 }), (size) => {
      expect(readHeader(objectHeader('blob', size))).toEqual({ type: 3, size })
      expect(readHeader(objectHeader('tree', size))).toEqual({ type: 2, size })
    }),
  )
})

test('an object is packed with its header and the checksum of what is written', () => {
  const body = Buffer.from('hello '.repeat(100))
  const packed = packObject({ id: '1'.repeat(40), kind: 'blob', body }, 1)

  expect(inflateSync(packed.bytes.subarray(2))).toEqual(body)
  expect(packed.crc32).toBe(crc32(packed.bytes))
})

test('git reads our index, offsets beyond 2 GiB included', async () => {
  const objects = [12, 2 ** 31 - 1, 2 ** 31, 2 ** 33 + 5].map((offset, index) => ({
    id: `${'c0a4'[index]}${index}`.padEnd(40, 'f'),
    crc32: 0xdead_0000 + index,
    offset,
  }))
  const child = Bun.spawn(['git', 'show-index'], {
    stdin: packIndex(objects, Buffer.alloc(20)),
    stdout: 'pipe',
  })
  const lines = (await new Response(child.stdout).text()).trim().split('\n')

  expect(lines.toSorted()).toEqual(
    objects.map(({ id, offset, crc32: sum }) => `${offset} ${id} (${sum.toString(16)})`).sort(),
  )
})
