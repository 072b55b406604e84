import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib'
import { expect, test } from 'bun:test'
import { compress, minCompressedBytes, weakened } from './compression.ts'

const text = Buffer.from('{"name":"sedge"}'.repeat(500))

test('each coding can be undone to the same bytes', async () => {
  const undo = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync }
  for (const coding of ['gzip', 'br', 'zstd'] as const) {
    const compressed = await compress(text, coding)
    expect(compressed?.coding).toBe(coding)
    expect(undo[coding](compressed?.bytes ?? '').equals(text)).toBe(true)
    expect(compressed?.bytes.byteLength).toBeLessThan(text.byteLength / 5)
  }
})

test('what is small or not wanted stays as it is', async () => {
  expect(await compress(text.subarray(0, minCompressedBytes - 1), 'gzip')).toBeUndefined()
  expect(await compress(text, null)).toBeUndefined()
  expect(await compress(text, 'gzip;q=0, deflate')).toBeUndefined()
})

test('an entity-tag is weakened once', () => {
  expect(weakened('"a"')).toBe('W/"a"')
  expect(weakened('W/"a"')).toBe('W/"a"')
})
