import { expect, test } from 'bun:test'

import type { NewNotification } from '../../ports/notifications/notification-store.ts'
import type { Condition, NotificationKind } from '../../ports/records/notification.ts'
import { transitionsOf } from './transitions.ts'
import { conditionOf } from './watch.ts'

const failing = conditionOf({ kind: 'webhook', about: 'w', detail: 'It fails.' })
const minute = 60_000
const hour = 60 * minute

/** A store in memory, and what others were told, in turn. */
function setUp() {
  const records = new Map<string, NewNotification & { number: number }>()
  let last = 0
  let ids = 0
  const at = { ms: 0 }
  const see = (
    conditions: readonly Condition[],
    kinds: readonly NotificationKind[] = ['webhook', 'edge'],
  ): readonly string[] => {
    const time = new Date(1_800_000_000_000 + at.ms)
    const current = [...records.values()].filter(
      ({ endedAt }) => endedAt === undefined || time.getTime() - endedAt.getTime() < hour,
    )
    const { records: changed, notices } = transitionsOf(current, {
      kinds: new Set(kinds),
      conditions,
      at: time,
      newId: () => `n${(ids += 1)}`,
    })
    for (const each of changed)
      records.set(each.id, { ...each, number: each.number ?? (last += 1) })
    return notices.map(({ event, notification }) => `${event.slice(13)} ${notification.severity}`)
  }
  const after = (ms: number) => void (at.ms += ms)
  return { records, see, after }
}

test('what is wrong is told once, and its end once', () => {
  const { records, see, after } = setUp()
  expect(see([failing])).toEqual(['raised warning'])
  after(minute)
  expect(see([failing])).toEqual([])
  after(minute)
  expect(see([])).toEqual(['resolved warning'])
  expect(see([])).toEqual([])
  expect([...records.values()]).toMatchObject([{ number: 1, times: 1 }])
})

test('what comes and goes is one notification, told again after an hour', () => {
  const { records, see, after } = setUp()
  see([failing])
  for (let turn = 0; turn < 5; turn += 1) {
    after(minute)
    expect(see([])).toEqual(turn === 0 ? ['resolved warning'] : [])
    after(minute)
    expect(see([failing])).toEqual([])
  }
  expect([...records.values()]).toMatchObject([{ times: 6, number: 6 }])
  see([])
  after(59 * minute)
  expect(see([failing])).toEqual(['raised warning'])
  see([])
  after(2 * hour)
  see([failing])
  expect(records.size).toBe(2)
})

test('what lasts is told again after a day, and what gets worse at once, as news', () => {
  const { records, see, after } = setUp()
  see([failing])
  after(24 * hour)
  expect(see([failing])).toEqual(['raised warning'])
  expect([...records.values()]).toMatchObject([{ number: 1 }])
  after(minute)
  expect(see([{ ...failing, severity: 'critical' }])).toEqual(['raised critical'])
  expect([...records.values()]).toMatchObject([{ number: 2, severity: 'critical' }])
  after(minute)
  expect(see([failing])).toEqual([])
})

test('what could not be looked at has not ended', () => {
  const { see } = setUp()
  see([failing])
  expect(see([], ['edge'])).toEqual([])
  expect(see([], ['webhook'])).toEqual(['resolved warning'])
})

test('there are no more than fifty of a kind, the urgent ones first, and texts are cut', () => {
  const { records, see } = setUp()
  const all = Array.from({ length: 80 }, (_, place) =>
    conditionOf({
      kind: 'edge',
      about: `${place} ${'x'.repeat(400)}`,
      detail: 'y'.repeat(9_000),
      severity: place >= 70 ? 'critical' : 'warning',
    }),
  )
  see(all)
  const kept = [...records.values()]
  expect(kept).toHaveLength(50)
  expect(kept.filter(({ severity }) => severity === 'critical')).toHaveLength(10)
  expect(Math.max(...kept.map(({ about, detail }) => about.length + detail.length))).toBe(755)
})
