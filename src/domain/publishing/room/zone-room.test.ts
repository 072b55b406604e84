import { expect, test } from 'bun:test'

import fc from 'fast-check'

import type { Change } from '../../../ports/content/content-store.ts'
import type { ZoneQuotaName } from '../../../lib/zone-quota-names.ts'
import { createZoneRoom } from './zone-room.ts'

type Limits = Partial<Record<ZoneQuotaName, number>>

/** Files that are shown, and a room for more of them. */
function setUp(limits: Limits, files: Record<string, number> = {}) {
  const shown = new Map(Object.entries(files))
  let month = 10
  let uploads = 0
  let isCurrent = true
  const sum = (zone: string) =>
    [...shown].filter(([path]) => path.startsWith(`${zone}/`)).map(([, size]) => size)
  const room = createZoneRoom({
    bounds: { limitOf: (zone, name) => (zone === 'acme' ? limits[name] : undefined) },
    shown: {
      asset(path) {
        const sizeBytes = shown.get(path)
        return sizeBytes === undefined ? undefined : { sizeBytes }
      },
      zoneFiles: (zone) =>
        [...shown.keys()]
          .filter((path) => path.startsWith(`${zone}/`))
          .toSorted()
          .map((path) => ({ path })),
      zoneSummary: (zone) => ({
        fileCount: sum(zone).length,
        storageBytes: sum(zone).reduce((all, size) => all + size, 0),
      }),
    },
    isCurrent: () => isCurrent,
    uploadsOf: async () => uploads,
    now: () => new Date(Date.UTC(2026, month, 20)),
  })
  return {
    room,
    shown,
    used: () => sum('acme').reduce((all, size) => all + size, 0),
    set month(to: number) {
      month = to
    },
    set uploads(to: number) {
      uploads = to
    },
    set isCurrent(to: boolean) {
      isCurrent = to
    },
    /** Shows what a write changes, as its publication would. */
    show(changes: readonly Change[]) {
      for (const change of changes) {
        const path = change.path.slice('clients/'.length)
        for (const each of shown.keys())
          if (change.kind === 'delete' && (each === path || each.startsWith(`${path}/`)))
            shown.delete(each)
        if (change.kind === 'put') shown.set(path, change.blob.sizeBytes)
      }
    },
  }
}

const put = (path: string, sizeBytes: number): Change => ({
  kind: 'put',
  path: `clients/acme/v1/${path}`,
  blob: { sha256: '0'.repeat(64), sizeBytes },
})
const remove = (path: string): Change => ({ kind: 'delete', path: `clients/acme/${path}` })

const refused = (name: string) => expect.objectContaining({ code: 'QuotaExceeded', target: name })

test('what is taken counts before it is shown, and once when it is', async () => {
  const world = setUp({ bytes: 10 }, { 'acme/v1/a': 4 })
  const { room } = world
  const first = [put('b', 4)]
  await room.take(first, { changes: first })
  expect(room.take({}, { changes: [put('c', 3)] })).rejects.toEqual(refused('bytes'))

  world.show(first)
  room.land(first)
  await room.take({}, { changes: [put('c', 2)] })
})

test('a write that comes to nothing gives back what it took', async () => {
  const { room } = setUp({ files: 1 })
  const key = {}
  await room.take(key, { changes: [put('a', 1)] })
  await room.take(key, { changes: [put('b', 1)] })
  room.release(key)

  await room.take({}, { changes: [put('c', 1)] })
})

test('where nothing comes of a write, the next one of the same file counts whole', async () => {
  const { room } = setUp({ bytes: 9 })
  const [failed, next] = [{}, {}]
  await room.take(failed, { changes: [put('a', 1)] })
  await room.take(next, { changes: [put('a', 5)] })
  room.release(failed)

  expect(room.take({}, { changes: [put('b', 5)] })).rejects.toEqual(refused('bytes'))
  await room.take({}, { changes: [put('b', 4)] })
})

test('what becomes smaller is no room for others before it has', async () => {
  const world = setUp({ bytes: 9 }, { 'acme/v1/a': 6 })
  const { room } = world
  const smaller = [put('a', 1)]
  await room.take(smaller, { changes: smaller })
  expect(room.take({}, { changes: [put('b', 4)] })).rejects.toEqual(refused('bytes'))

  world.show(smaller)
  room.land(smaller)
  await room.take({}, { changes: [put('b', 8)] })
})

test('what is only asked for takes nothing, and nothing is remembered of it', async () => {
  const world = setUp({ bytes: 10 }, { 'acme/v1/a': 4 })
  const { room } = world
  await room.require({ changes: [put('b', 6)] })
  await room.require({ changes: [put('c', 6)] })
  expect(room.require({ changes: [put('b', 7)] })).rejects.toEqual(refused('bytes'))
  const taken = [put('b', 5)]
  await room.take(taken, { changes: taken })
  expect(room.require({ changes: [put('c', 2)] })).rejects.toEqual(refused('bytes'))

  room.release(taken)
  // By who was not bounded then.
  world.show([put('d', 6)])
  expect(room.take({}, { changes: [put('c', 1)] })).rejects.toEqual(refused('bytes'))
})

test('files that others take away first are no room before they have', async () => {
  const world = setUp({ bytes: 10 }, { 'acme/v1/d/a': 5, 'acme/v1/d/b': 5 })
  const { room } = world
  const emptied = [remove('v1/d')]
  await room.take(emptied, { changes: emptied })
  const refill = [put('d/a', 10)]
  await room.take(refill, { changes: refill })
  expect(room.take({}, { changes: [put('x', 1)] })).rejects.toEqual(refused('bytes'))

  world.show(emptied)
  room.land(emptied)
  expect(room.take({}, { changes: [put('x', 1)] })).rejects.toEqual(refused('bytes'))
})

test('the whole zone may go and be filled anew in one write', async () => {
  const { room } = setUp({ bytes: 10, files: 2 }, { 'acme/v1/a': 10 })
  await room.take({}, { changes: [remove('v1'), put('b', 6), put('c', 4)] })
})

test('plans that run again are worked out anew, one after another, and what is reserved stays', async () => {
  const { room } = setUp({ bytes: 10 })
  const [first, second, push] = [{}, {}, {}]
  await room.take(first, { changes: [put('a', 1)] })
  await room.take(second, { changes: [put('a', 6)] })
  await room.reserve(push, { changes: [put('b', 2)] })
  await room.take(first, { changes: [put('a', 1)] })
  await room.take(second, { changes: [put('a', 6)] })

  expect(room.take({}, { changes: [put('c', 3)] })).rejects.toEqual(refused('bytes'))
  await room.take({}, { changes: [put('c', 2)] })
})

test('what does not grow is taken whatever the bounds are by now', async () => {
  const { room } = setUp({ bytes: 1, files: 0 }, { 'acme/v1/a': 10 })
  await room.take({}, { changes: [put('a', 9)] })
  await room.take({}, { changes: [remove('v1/a')] })
})

test('uploads are of a month, and what is moved is none', async () => {
  const world = setUp({ uploads: 3 })
  world.uploads = 2
  const { room } = world
  const moves = [{ from: 'clients/acme/v1/a', to: 'clients/acme/v1/d' }]
  const moved = [remove('v1/a'), put('d/x', 1), put('d/y', 1)]
  await room.take({}, { changes: moved, moves })
  await room.take({}, { changes: [put('b', 1)] })
  expect(room.take({}, { changes: [put('c', 1)] })).rejects.toMatchObject({
    code: 'limit_reached',
    target: 'uploads',
  })

  world.month = 11
  world.uploads = 0
  await room.take({}, { changes: [put('c', 1)] })
})

test('a write of which nobody knows what came of it counts until all is shown', async () => {
  const world = setUp({ files: 1 })
  world.isCurrent = false
  const lost = {}
  await world.room.take(lost, { changes: [put('a', 1)] })
  world.room.leave(lost)
  expect(world.room.take({}, { changes: [put('b', 1)] })).rejects.toEqual(refused('files'))

  world.isCurrent = true
  await world.room.take({}, { changes: [put('b', 1)] })
})

test('zones without bounds, and what is no file of a zone, take nothing', async () => {
  const { room } = setUp({ bytes: 0, files: 0 })
  const elsewhere = { ...put('a', 5), path: 'clients/bolt/v1/a' }
  const settings = { ...put('a', 5), path: 'clients/acme/zone.json' }
  await room.take({}, { changes: [elsewhere, settings] })
})

test('whatever is written in whatever order, no zone ever has more than it may', async () => {
  const step = fc.record({
    path: fc.constantFrom('a', 'b', 'd/a', 'd/b'),
    size: fc.integer({ min: 0, max: 6 }),
    isRemoval: fc.boolean(),
    end: fc.constantFrom('lands', 'fails'),
    delay: fc.integer({ min: 0, max: 3 }),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const world = setUp({ bytes: 12 })
      const underWay: { changes: readonly Change[]; end: string }[] = []
      const settle = (count: number) => {
        for (const each of underWay.splice(0, count)) {
          if (each.end === 'fails') world.room.release(each)
          else world.show(each.changes)
          if (each.end === 'lands') world.room.land(each)
          expect(world.used()).toBeLessThanOrEqual(12)
        }
      }
      for (const { path, size, isRemoval, end, delay } of steps) {
        const changes = [isRemoval ? remove(`v1/${path}`) : put(path, size)]
        const write = { changes, end: isRemoval ? 'lands' : end }
        const isTaken = await world.room.take(write, { changes }).then(
          () => true,
          () => false,
        )
        if (isTaken) underWay.push(write)
        if (underWay.length > delay) settle(underWay.length - delay)
      }
      settle(underWay.length)
    }),
  )
})
