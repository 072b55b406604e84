import { expect, test } from 'bun:test'

import { createByteRoom } from './byte-room.ts'

const never = new AbortController().signal

test('what fits is granted at once, to each owner only a part', async () => {
  const room = createByteRoom({ maxBytes: 100, maxBytesPerOwner: 60 })
  const first = await room.take('a', 60, never)
  expect(first).toBeDefined()
  expect(await room.take('a', 1, AbortSignal.abort())).toBeUndefined()
  expect(await room.take('b', 40, never)).toBeDefined()
  expect(await room.take('c', 1, AbortSignal.abort())).toBeUndefined()
  first?.[Symbol.dispose]()
  first?.[Symbol.dispose]()
  expect(await room.take('a', 60, never)).toBeDefined()
  expect(await room.take('c', 1, AbortSignal.abort())).toBeUndefined()
})

test('who waits is served in order, past those whose own part is used up', async () => {
  const room = createByteRoom({ maxBytes: 100, maxBytesPerOwner: 60 })
  const held = await room.take('a', 60, never)
  const other = await room.take('b', 40, never)
  const served: string[] = []
  const wait = async (name: string, owner: string) => {
    const taken = await room.take(owner, 40, never)
    served.push(name)
    return taken
  }
  const waiting = [wait('a again', 'a'), wait('c', 'c'), wait('d', 'd')]
  other?.[Symbol.dispose]()
  await waiting[1]
  expect(served).toEqual(['c'])
  held?.[Symbol.dispose]()
  await waiting[0]
  expect(served).toEqual(['c', 'a again'])
  ;(await waiting[1])?.[Symbol.dispose]()
  await Promise.all(waiting)
  expect(served).toEqual(['c', 'a again', 'd'])
})

test('who gives up takes nothing, and is in nobody’s way', async () => {
  const room = createByteRoom({ maxBytes: 10, maxBytesPerOwner: 10 })
  const held = await room.take('a', 10, never)
  const patience = new AbortController()
  const waiting = room.take('b', 10, patience.signal)
  patience.abort()
  expect(await waiting).toBeUndefined()
  held?.[Symbol.dispose]()
  expect(await room.take('c', 10, AbortSignal.abort())).toBeDefined()
})
