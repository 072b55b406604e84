import { expect, test } from 'bun:test'

import { ByteSegments } from './byte-segments.ts'

function setUp(maxBytes = 4096) {
  const rowByName = new Map<string, number>()
  const nameByRow = new Map<number, string>()
  const forget = (row: number) => {
    rowByName.delete(nameByRow.get(row) ?? '')
    nameByRow.delete(row)
  }
  const segments = new ByteSegments({ maxBytes, segmentBytes: 1024, onGone: forget })
  return {
    segments,
    names: () => [...rowByName.keys()],
    put: (name: string, sizeBytes = 100) => {
      const row = segments.add(sizeBytes)
      if (row === undefined) return undefined
      segments.bytesOf(row).fill(name.padEnd(sizeBytes, '.'))
      rowByName.set(name, row)
      nameByRow.set(row, name)
      return row
    },
    read: (name: string) => segments.bytesOf(rowByName.get(name) ?? -1).toString(),
    use: (name: string) => segments.use(rowByName.get(name) ?? -1),
    remove: (name: string) => {
      const row = rowByName.get(name) ?? -1
      segments.remove(row)
      forget(row)
    },
  }
}

test('as much is held as fits, and the oldest goes first', () => {
  const { segments, put, names, read } = setUp()
  for (let at = 0; at < 100; at += 1) put(`n${at}`)
  expect(segments.heldBytes).toBe(4096)
  expect(names()).toEqual(
    Array.from({ length: names().length }, (_, at) => `n${100 - names().length + at}`),
  )
  expect(names().length).toBeGreaterThanOrEqual(30)
  for (const name of names()) expect(read(name)).toBe(name.padEnd(100, '.'))
})

test('what is used stays, but never all of it', () => {
  const { put, names, read, use } = setUp()
  for (let at = 0; at < 40; at += 1) put(`old${at}`)
  use('old3')
  use('old4')
  for (let at = 0; at < 10; at += 1) put(`new${at}`)
  expect(names()).toContain('old3')
  expect(read('old4')).toBe('old4'.padEnd(100, '.'))
  expect(names()).not.toContain('old2')
  for (let round = 0; round < 50; round += 1) {
    for (const name of names()) use(name)
    put(`round${round}`)
    expect(names()).toContain(`round${round}`)
  }
  for (const name of names()) expect(read(name)).toBe(name.padEnd(100, '.'))
})

test('a removed row is given to another only once its bytes are, and nobody hears of it again', () => {
  const { put, names, read, remove } = setUp()
  for (let at = 0; at < 10; at += 1) put(`n${at}`)
  for (let at = 0; at < 10; at += 2) remove(`n${at}`)
  for (let at = 0; at < 33; at += 1) put(`m${at}`)
  for (const name of names()) expect(read(name)).toBe(name.padEnd(100, '.'))
  expect(names()).toContain('m32')
})

test('what is too large is not taken, nor anything where there is no room', () => {
  expect(setUp().put('large', 129)).toBeUndefined()
  expect(setUp(1000).put('any')).toBeUndefined()
})

test('cleared it holds nothing, and takes anew', () => {
  const { segments, put } = setUp()
  for (let at = 0; at < 20; at += 1) put(`n${at}`)
  segments.clear()
  expect(segments.heldBytes).toBe(0)
  expect(put('again')).toBe(0)
})
