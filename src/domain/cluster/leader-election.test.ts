import { expect, test } from 'bun:test'

import {
  MemoryWriterLease,
  type SharedLease,
} from '../../adapters/memory/edges/memory-writer-lease.ts'
import type { WriterLease } from '../../ports/edges/writer-lease.ts'
import { type Leadership, electLeader } from './leader-election.ts'

const termMs = 1_000

/** Nodes on one clock, which moves when the test says so. */
function createWorld() {
  const shared: SharedLease = { epoch: 0, url: '', endsAtMs: 0 }
  let nowMs = 1
  const sleepers = new Set<{ readonly untilMs: number; readonly wake: () => void }>()
  const pause = (milliseconds: number, signal: AbortSignal) => {
    const { promise, resolve } = Promise.withResolvers<void>()
    sleepers.add({ untilMs: nowMs + milliseconds, wake: resolve })
    signal.addEventListener('abort', () => resolve())
    return promise
  }
  return {
    shared,
    /** Lets time go by, a little at a time, so that everybody has a turn. */
    async pass(milliseconds: number): Promise<void> {
      for (const endMs = nowMs + milliseconds; nowMs < endMs;) {
        nowMs += 25
        for (const sleeper of sleepers)
          if (sleeper.untilMs <= nowMs) {
            sleepers.delete(sleeper)
            sleeper.wake()
          }
        await new Promise((resolve) => setImmediate(resolve))
      }
    },
    open(url: string, options: { readonly fails?: boolean } = {}) {
      const lease = new MemoryWriterLease({ shared, nowMs: () => nowMs, termMs })
      const node = {
        isCutOff: false,
        writer: undefined as string | undefined,
        leadership: undefined as Leadership | undefined,
        losses: 0,
      }
      const reach = <T>(ask: () => Promise<T>) =>
        node.isCutOff ? Promise.reject(new Error('the database is away')) : ask()
      const reached: WriterLease = {
        holder: () => reach(() => lease.holder()),
        take: (by) => reach(() => lease.take(by)),
        renew: (epoch) => reach(() => lease.renew(epoch)),
        release: (epoch) => reach(() => lease.release(epoch)),
        async [Symbol.asyncDispose]() {},
      }
      const running = electLeader({
        lease: reached,
        url,
        termMs,
        monotonicMs: () => nowMs,
        pause,
        onWriter: (seen) => void (node.writer = seen),
        async lead(leadership) {
          if (options.fails === true) throw new Error('it has no repository')
          node.leadership = leadership
        },
        onLost: () => void (node.losses += 1),
        log: { warn: () => {} },
      })
      return Object.assign(node, { [Symbol.asyncDispose]: () => running[Symbol.asyncDispose]() })
    },
  }
}

test('one node writes, and the others know which', async () => {
  const world = createWorld()
  await using first = world.open('http://a')
  await world.pass(100)
  await using second = world.open('http://b')
  await world.pass(5 * termMs)

  expect(first.leadership).toMatchObject({ epoch: 1, isCurrent: true })
  expect(second.leadership).toBeUndefined()
  expect(second.writer).toBe('http://a')
})

test('a node that is cut off is followed by another within its term and a little, and told so', async () => {
  const world = createWorld()
  await using first = world.open('http://a')
  await world.pass(100)
  await using second = world.open('http://b')
  await world.pass(termMs)
  first.isCutOff = true
  await world.pass(1.25 * termMs)

  expect(first.leadership?.isCurrent).toBeFalse()
  expect(second.leadership).toMatchObject({ epoch: 2, isCurrent: true })
  expect(first.losses).toBe(0)
  first.isCutOff = false
  await world.pass(termMs)
  expect(first.losses).toBe(1)
})

test('a database that is away for everybody changes nothing', async () => {
  const world = createWorld()
  await using node = world.open('http://a')
  await world.pass(100)
  node.isCutOff = true
  await world.pass(10 * termMs)
  expect(node.leadership?.isCurrent).toBeFalse()
  node.isCutOff = false
  await world.pass(termMs)

  expect(node.leadership).toMatchObject({ epoch: 1, isCurrent: true })
  expect(node.losses).toBe(0)
})

test('a node that cannot lead gives the right up for another one', async () => {
  const world = createWorld()
  await using broken = world.open('http://a', { fails: true })
  await world.pass(50)
  await using other = world.open('http://b')
  await world.pass(termMs)

  expect(broken.leadership).toBeUndefined()
  expect(other.leadership).toMatchObject({ isCurrent: true })
})
