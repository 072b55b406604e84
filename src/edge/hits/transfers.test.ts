import { expect, test } from 'bun:test'

import { MemorySentBytes } from '../../adapters/memory/traffic/memory-sent-bytes.ts'
import type { ConnectionEnds } from '../../ports/traffic/sent-bytes.ts'
import { createTransferLine } from './transfer-line.ts'
import { createTransfers } from './transfers.ts'

const ends: ConnectionEnds = { localPort: 80, peerAddress: '192.0.2.1', peerPort: 1024 }
const other: ConnectionEnds = { ...ends, peerPort: 1025 }
const sizeBytes = 1_000_000

function setUp(waitingBytes = 0) {
  const sentBytes = new MemorySentBytes()
  sentBytes.open(ends, waitingBytes)
  const transfers = createTransfers({ sentBytes, endsOf: () => [ends] })
  const begin = (size = sizeBytes) => {
    const ending = new AbortController()
    const request = new Request('http://localhost/', { signal: ending.signal })
    const counted = { bytes: 0 }
    const isFollowed = transfers.follow(request, size, (bytes) => void (counted.bytes += bytes))
    return { counted, isFollowed, breakOff: () => ending.abort() }
  }
  return {
    begin,
    transfers,
    sentBytes,
    send: (bytes: number) => sentBytes.send(ends, bytes),
    [Symbol.dispose]: () => transfers.finish(),
  }
}

function lineOf(sentBytes: MemorySentBytes) {
  const connection = sentBytes.connection(ends)
  const first = connection?.measure()
  if (connection === undefined || first === undefined) throw new Error('there is none')
  const line = createTransferLine(connection, first)
  const begin = () => {
    const counted = { bytes: 0 }
    const count = (bytes: number) => void (counted.bytes += bytes)
    const transfer = { leftBytes: sizeBytes, count }
    line.add(transfer)
    return { counted, transfer }
  }
  return { line, begin }
}

test('a body counts as it is sent, and never more than its size', () => {
  using world = setUp()
  const { counted, isFollowed } = world.begin()
  expect(isFollowed).toBeTrue()
  expect(counted.bytes).toBe(0)
  for (const expected of [400_000, 800_000, sizeBytes, sizeBytes]) {
    world.send(400_000)
    world.transfers.settle()
    expect(counted.bytes).toBe(expected)
  }
})

test('what waited on the connection before counts for no body after it', () => {
  using world = setUp(300_000)
  const { counted } = world.begin()
  world.send(300_000)
  world.transfers.settle()
  expect(counted.bytes).toBe(0)
  world.send(5)
  world.transfers.settle()
  expect(counted.bytes).toBe(5)
})

test('each body of a connection that is kept counts its own bytes', () => {
  using world = setUp()
  const first = world.begin()
  world.send(sizeBytes + 200)
  const second = world.begin()
  world.send(70_000)
  world.transfers.settle()
  expect([first.counted.bytes, second.counted.bytes]).toEqual([sizeBytes, 70_000])
})

test('bodies that share a connection count together what it sent', () => {
  using world = setUp()
  const all = [world.begin(), world.begin(), world.begin()]
  world.send(1_500_000)
  all[1]?.breakOff()
  world.send(100_000)
  world.transfers.settle()
  expect(all.reduce((sum, { counted }) => sum + counted.bytes, 0)).toBe(1_600_000)
  expect(all[1]?.counted.bytes).toBe(500_000)
})

test('of a body that is broken off, what had been sent when the connection closed counts', () => {
  using world = setUp()
  const { counted, breakOff } = world.begin()
  world.send(65_536)
  world.sentBytes.close(ends)
  breakOff()
  world.transfers.settle()
  world.transfers.finish()
  expect(counted.bytes).toBe(65_536)
})

test('a connection that closes in the middle of a body needs no word from its request', () => {
  using world = setUp()
  const { counted } = world.begin()
  world.send(65_536)
  world.sentBytes.close(ends)
  world.transfers.finish()
  expect(counted.bytes).toBe(65_536)
})

test('a connection of which nothing is told any more sent its bodies to the end, unless they were broken off', () => {
  const sentBytes = new MemorySentBytes()
  sentBytes.open(ends)
  const { line, begin } = lineOf(sentBytes)
  const [whole, brokenOff] = [begin(), begin()]
  sentBytes.send(ends, 10_000)
  line.update()
  sentBytes.close(ends, false)
  line.tick()
  line.breakOff(brokenOff.transfer)
  line.tick()
  expect(line.isEmpty).toBeFalse()
  line.tick()
  expect(line.isEmpty).toBeTrue()
  expect([whole.counted.bytes, brokenOff.counted.bytes]).toEqual([sizeBytes, 0])
})

test('nothing is followed where the system has told of no connection yet, and nothing counts for who has left', () => {
  const sentBytes = new MemorySentBytes()
  let asked = ends
  const transfers = createTransfers({ sentBytes, endsOf: () => [asked] })
  let counted = 0
  const follow = (init: RequestInit = {}) =>
    transfers.follow(new Request('http://localhost/', init), sizeBytes, (bytes) => {
      counted += bytes
    })
  expect(follow()).toBeFalse()
  expect(follow({ signal: AbortSignal.abort() })).toBeTrue()
  sentBytes.open(ends)
  expect(follow()).toBeTrue()
  asked = other
  const ending = new AbortController()
  expect(follow({ signal: ending.signal })).toBeTrue()
  ending.abort()
  sentBytes.close(ends)
  transfers.finish()
  expect(counted).toBe(0)
})
