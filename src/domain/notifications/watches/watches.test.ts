import { expect, test } from 'bun:test'

import { domainAt } from '../../../ports/content/publication-store.contract.ts'
import type { Condition } from '../../../ports/records/notification.ts'
import { webhookOf } from '../../../ports/webhooks/webhook-store.contract.ts'
import type { Watch } from '../watch.ts'
import { watchDisk } from './watch-disk.ts'
import { watchDomains } from './watch-domains.ts'
import { watchBackups, watchEdges, watchMirror } from './watch-elsewhere.ts'
import { watchErrors } from './watch-errors.ts'
import { watchLimits } from './watch-limits.ts'
import { watchService } from './watch-service.ts'
import { watchWebhooks } from './watch-webhooks.ts'

const start = new Date('2026-10-01T00:00:00Z')
const now = () => start
const ago = (ms: number) => new Date(start.getTime() - ms)
const day = 86_400_000
const gib = 2 ** 30

/** A word each: of what, of which, how urgent. */
const seen = async ({ look }: Watch): Promise<readonly string[]> =>
  (await look()).map(({ kind, about, severity }: Condition) => `${kind} ${about} ${severity}`)

test('webhooks that fail for minutes, or were switched off by the service', async () => {
  const watch = watchWebhooks({
    now,
    list: async () => [
      webhookOf('well'),
      webhookOf('new', { failingSince: ago(60_000) }),
      webhookOf('failing', { failingSince: ago(600_000), url: 'https://hooks.example/secret' }),
      webhookOf('off', { active: false, failingSince: ago(day) }),
      webhookOf('gone', { active: false, switchedOff: 'gone' }),
      webhookOf('dead', { active: false, switchedOff: 'failing', zones: ['acme'] }),
    ],
  })
  expect(await seen(watch)).toEqual([
    'webhook failing warning',
    'webhook gone critical',
    'webhook dead critical',
  ])
  const [failing, , dead] = await watch.look()
  expect(failing).toMatchObject({ name: 'hooks.example', zone: undefined })
  expect(JSON.stringify(failing)).not.toContain('secret')
  expect(dead?.zone).toBe('acme')
})

test('certificates that end soon, and domains that lead elsewhere', async () => {
  const until = (ms: number) => ({ certificateExpiresAt: ago(-ms) })
  const wrong = { sslError: 'Set a CNAME.', sslStatus: 'failed' } as const
  const domains = [
    domainAt('fine.example', until(30 * day)),
    domainAt('soon.example', until(10 * day)),
    domainAt('now.example', { ...until(day), sslStatus: 'renewing', sslError: 'refused' }),
    domainAt('added.example', { ...wrong, createdAt: ago(3_600_000) }),
    domainAt('never.example', { ...wrong, createdAt: ago(2 * day) }),
    domainAt('broken.example', { ...wrong, ...until(40 * day) }),
  ]
  expect(await seen(watchDomains({ list: () => domains, now }))).toEqual([
    'certificate soon.example warning',
    'certificate now.example critical',
    'domain now.example critical',
    'domain never.example warning',
    'domain broken.example critical',
  ])
})

test('a disk that fills up', async () => {
  const seenAt = async (freeGib: number, sizeGib = 100) =>
    await seen(
      watchDisk({
        space: async () => ({ freeBytes: freeGib * gib, sizeBytes: sizeGib * gib }),
        warnPercent: 10,
      }),
    )
  expect(await seenAt(10)).toEqual([])
  expect(await seenAt(9)).toEqual(['disk  warning'])
  expect(await seenAt(4)).toEqual(['disk  critical'])
  expect(await seenAt(0.4, 1)).toEqual(['disk  critical'])
})

test('limits that are nearly used up, or wholly', async () => {
  const limit = (used: number, zone?: string) => ({
    name: 'transforms',
    setting: 'TRANSFORMS_PER_MONTH',
    zone,
    window: 'month' as const,
    limit: 100,
    used,
  })
  const watch = watchLimits(async () => [
    limit(89),
    limit(90, 'acme'),
    limit(100),
    { ...limit(0), limit: 0 },
  ])
  expect(await seen(watch)).toEqual([
    'quota TRANSFORMS_PER_MONTH acme warning',
    'quota TRANSFORMS_PER_MONTH critical',
  ])
})

test('many failures among the responses of the last minutes', async () => {
  const seenWith = (requests: number, status5xx: number) =>
    seen(watchErrors({ recent: async () => ({ requests, status5xx }), warnPercent: 5 }))
  expect(await seenWith(0, 0)).toEqual([])
  expect(await seenWith(9, 9)).toEqual([])
  expect(await seenWith(1_000, 49)).toEqual([])
  expect(await seenWith(1_000, 50)).toEqual(['errors  warning'])
  expect(await seenWith(20, 10)).toEqual(['errors  critical'])
})

test('a mirror that is left behind, edges that are gone or behind, backups that failed or are old', async () => {
  const mirror = {
    isRefused: false,
    failures: 0,
    pendingCommits: 0,
    error: undefined,
    lacks: undefined,
  }
  const seenOf = (given: object) => seen(watchMirror(() => ({ ...mirror, ...given })))
  expect(await seenOf({ failures: 2 })).toEqual([])
  expect(await seenOf({ failures: 3, error: 'away', lacks: 'bytes' })).toEqual([
    'mirror  warning',
    'mirror files warning',
  ])
  expect(await seenOf({ isRefused: true })).toEqual(['mirror  critical'])

  const edge = { isLive: true, lastSeenAt: start, behind: 0 }
  const edges = async () => [
    { ...edge, name: 'fine' },
    { ...edge, name: 'behind', behind: 500 },
    { ...edge, name: 'restarting', isLive: false, lastSeenAt: ago(60_000) },
    { ...edge, name: 'gone', isLive: false, lastSeenAt: ago(300_000) },
  ]
  expect(await seen(watchEdges(edges, now))).toEqual(['edge behind warning', 'edge gone critical'])

  const backup = { newestAt: ago(day), failure: undefined, isOverdue: false }
  const seenBackup = (given: object) => seen(watchBackups(async () => ({ ...backup, ...given })))
  expect(await seen(watchBackups(async () => undefined))).toEqual([])
  expect(await seenBackup({})).toEqual([])
  expect(await seenBackup({ isOverdue: true })).toEqual(['backup age warning'])
  expect(await seenBackup({ failure: { at: start, reason: 'full' } })).toEqual([
    'backup failed critical',
  ])
})

test('parts that do not work twice in a row, those alone that have no kind of their own', async () => {
  const failed = [{ name: 'search', reason: 'gone', isVital: false }]
  const watch = watchService(async () => [
    ...failed,
    { name: 'certificates', reason: '', isVital: false },
  ])
  expect(await seen(watch)).toEqual([])
  failed.push({ name: 'database', reason: 'gone', isVital: true })
  expect(await seen(watch)).toEqual(['service search warning'])
  expect(await seen(watch)).toEqual(['service search warning', 'service database critical'])
})
