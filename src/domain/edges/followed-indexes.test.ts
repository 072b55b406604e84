import { expect, test } from 'bun:test'

import { MemoryStreamIndexStore } from '../../adapters/memory/media/memory-stream-index-store.ts'
import { EdgeOriginError } from '../../ports/edges/edge-origin.ts'
import { createFollowedIndexes } from './followed-indexes.ts'

const index = new Uint8Array([1, 2, 3])

function setUp() {
  const asked: string[] = []
  let isConnected = true
  let streamIndex = async (): Promise<Uint8Array | undefined> => index
  const indexes = createFollowedIndexes({
    kept: new MemoryStreamIndexStore(),
    origin: {
      streamIndex(sha256) {
        asked.push(sha256)
        return streamIndex()
      },
    },
    isConnected: () => isConnected,
  })
  return {
    asked,
    indexes,
    disconnect: () => void (isConnected = false),
    answerWith: (given: typeof streamIndex) => void (streamIndex = given),
  }
}

test('what the origin has is asked for once, and is there without it', async () => {
  const { indexes, asked, disconnect } = setUp()
  expect(await indexes.find('a')).toEqual(index)
  disconnect()
  expect(await indexes.find('a')).toEqual(index)
  expect(await indexes.find('b')).toBeUndefined()
  expect(asked).toEqual(['a'])
})

test('where the origin has none or fails, there is none, and what is saved here is kept', async () => {
  const { indexes, answerWith } = setUp()
  answerWith(async () => undefined)
  expect(await indexes.find('a')).toBeUndefined()
  answerWith(() => Promise.reject(new EdgeOriginError('away')))
  expect(await indexes.find('a')).toBeUndefined()
  await indexes.save('a', new Uint8Array([9]))
  expect(await indexes.find('a')).toEqual(new Uint8Array([9]))
  await indexes.remove('a')
  answerWith(() => Promise.reject(new TypeError('a bug')))
  expect(indexes.find('a')).rejects.toThrow('a bug')
})
