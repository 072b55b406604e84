import { expect, test } from 'bun:test'

import { isBackupOverdue, nextBackupAt } from './backup-schedule.ts'
import { createPace } from './pace.ts'
import { outdatedBackups } from './thin-backups.ts'

const idAt = (day: string, hour = '03') => `${day.replaceAll('-', '')}T${hour}0000Z-0a1b`

test('the newest stay, and the last of days and weeks', () => {
  const ids = ['2026-01-05', '2026-01-06', '2026-01-12', '2026-01-13', '2026-01-14'].map((day) =>
    idAt(day),
  )
  const early = idAt('2026-01-14', '01')

  expect(outdatedBackups([...ids, early], { newest: 1, days: 2, weeks: 2 })).toEqual([
    idAt('2026-01-05'),
    idAt('2026-01-12'),
    early,
  ])
  expect(outdatedBackups(ids, { newest: 0, days: 0, weeks: 0 })).toEqual(ids.slice(0, -1))
})

const at = (hour: number) => new Date(Date.UTC(2026, 0, 1, hour))

test('the next is made on time, at once where there is none, and soon where one failed', () => {
  const next = (facts: Partial<Parameters<typeof nextBackupAt>[0]>) =>
    nextBackupAt({ everyHours: 24, newestAt: at(0), failedAt: undefined, now: at(5), ...facts })

  expect(next({})).toEqual(at(24))
  expect(next({ newestAt: undefined })).toEqual(at(5))
  expect(next({ failedAt: at(24) })).toEqual(at(25))
  expect(next({ everyHours: 0 })).toBeUndefined()
})

test('one that is half a term late is overdue', () => {
  const isOverdue = (hour: number) =>
    isBackupOverdue({ everyHours: 24, newestAt: at(0), failedAt: undefined, now: at(hour) })

  expect([isOverdue(35), isOverdue(37)]).toEqual([false, true])
})

test('no more bytes are moved than the pace says, and none once it is to end', async () => {
  let nowMs = 0
  const ending = new AbortController()
  const pace = createPace({
    bytesPerSecond: 1000,
    monotonicMs: () => nowMs,
    pause: async (ms) => void (nowMs += ms),
    signal: ending.signal,
  })
  for (let count = 0; count < 10; count += 1) await pace.take(1000)

  expect(nowMs).toBeGreaterThanOrEqual(9000)
  ending.abort(new Error('over'))
  expect(await pace.take(1).catch(String)).toBe('Error: over')
})
