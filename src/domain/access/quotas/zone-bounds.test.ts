import { expect, test } from 'bun:test'

import type { ZoneBounds as Stored } from '../../../ports/access/zone-quota-store.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import type { Actor } from '../actor.ts'
import { openZoneBounds } from './zone-bounds.ts'

const operator: Actor = {
  credentialId: 'account-key',
  zones: undefined,
  ip: '192.0.2.1',
  userAgent: undefined,
  requestId: 'r1',
}
const tenant: Actor = { ...operator, credentialId: 'token:1', zones: new Set(['acme']) }

async function setUp(kept: readonly Stored[] = []) {
  const rows = new Map(kept.map((each) => [each.zone, each]))
  const deeds: AuditRecord[] = []
  const store = {
    list: async () => [...rows.values()],
    async save(bounds: Stored, audit: AuditRecord) {
      if (bounds.zone === 'none') return false
      rows.set(bounds.zone, bounds)
      deeds.push(audit)
      return true
    },
  }
  const open = () =>
    openZoneBounds({ store, defaults: { bytes: 100, files: 5 }, now: () => new Date(0) })
  return { open, rows, deeds, bounds: await open() }
}

test('what was said of a zone goes before what holds for every zone, and outlives a start', async () => {
  const { open, bounds, deeds } = await setUp()
  await bounds.change('acme', { limits: { bytes: 7, files: null, traffic: 9 } }, operator)

  for (const each of [bounds, await open()]) {
    expect(each.limitOf('acme', 'bytes')).toBe(7)
    expect(each.limitOf('acme', 'files')).toBeUndefined()
    expect(each.limitOf('acme', 'traffic')).toBe(9)
    expect(each.limitOf('bolt', 'bytes')).toBe(100)
    expect([each.isOwn('acme', 'files'), each.isOwn('acme', 'chats')]).toEqual([true, false])
  }
  expect(deeds.map(({ action, target }) => [action, target])).toEqual([['zone.quotas', 'acme']])
})

test('what a change leaves out stays, and a quota can go back to what holds for every zone', async () => {
  const { bounds } = await setUp()
  await bounds.change('acme', { limits: { bytes: 7, files: 2 } }, operator)
  await bounds.change('acme', { limits: { bytes: 'default' }, whenUsedUp: 'cut' }, operator)

  expect([bounds.limitOf('acme', 'bytes'), bounds.limitOf('acme', 'files')]).toEqual([100, 2])
  expect([bounds.whenUsedUp('acme'), bounds.whenUsedUp('bolt')]).toEqual(['cut', 'degrade'])
})

test('a setting of the service holds where nothing else does, and not where no bound was wanted', async () => {
  const { bounds } = await setUp()
  expect(bounds.limitOr('acme', 'tokens', 100)).toBe(100)
  await bounds.change('acme', { limits: { tokens: 3, domains: null } }, operator)
  expect(bounds.limitOr('acme', 'tokens', 100)).toBe(3)
  expect(bounds.limitOr('acme', 'domains', 50)).toBe(Infinity)
})

test('a tenant changes no limit, not even its own, but what becomes of its delivery', async () => {
  const { bounds } = await setUp()
  const change = bounds.change('acme', { limits: { bytes: 1_000 } }, tenant)
  expect(change).rejects.toMatchObject({ code: 'InsufficientScope' })
  await bounds.change('acme', { whenUsedUp: 'cut' }, tenant)
  expect([bounds.limitOf('acme', 'bytes'), bounds.whenUsedUp('acme')]).toEqual([100, 'cut'])
})

test('of a zone that is not there nothing is kept, and of one that is gone nothing is known', async () => {
  const { bounds } = await setUp()
  expect(bounds.change('none', { limits: { bytes: 1 } }, operator)).rejects.toMatchObject({
    code: 'ZoneNotFound',
  })
  await bounds.change('acme', { limits: { bytes: 1 } }, operator)
  bounds.forget('acme')
  expect(bounds.limitOf('acme', 'bytes')).toBe(100)
})
