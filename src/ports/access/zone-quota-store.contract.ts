import { expect, test } from 'bun:test'

import type { PublicationStore } from '../content/publication-store.ts'
import { entry, zoneOf } from '../content/publication-store.contract.ts'
import type { AuditLog } from '../content/audit-log.ts'
import type { ZoneQuotaStore } from './zone-quota-store.ts'

/** Stores that share one database. */
export interface ZoneQuotaStores extends AsyncDisposable {
  readonly quotas: ZoneQuotaStore
  readonly publications: PublicationStore
  readonly audit: AuditLog
}

/** What every ZoneQuotaStore must do. The test of each adapter calls this once. */
export function zoneQuotaStoreContract(name: string, open: () => Promise<ZoneQuotaStores>): void {
  const bounds = { zone: 'acme', limits: { bytes: 5, files: null }, whenUsedUp: 'cut' } as const

  test(`${name}: bounds are kept by zone, in the place of those before, and recorded`, async () => {
    await using stores = await open()
    await stores.publications.publish([{ zones: [zoneOf('acme')], feed: [] }])

    expect(await stores.quotas.save({ ...bounds, limits: { traffic: 1 } }, deed)).toBe(true)
    expect(await stores.quotas.save(bounds, deed)).toBe(true)
    expect(await stores.quotas.list()).toEqual([bounds])
    const records = await stores.audit.query({ since: new Date(0), limit: 10 })
    expect(records.map(({ action }) => action)).toEqual(['zone.quotas', 'zone.quotas'])
  })

  test(`${name}: a zone that is not there has none, and they go with their zone`, async () => {
    await using stores = await open()
    expect(await stores.quotas.save(bounds, deed)).toBe(false)
    await stores.publications.publish([{ zones: [zoneOf('acme')], feed: [] }])
    await stores.quotas.save(bounds, deed)
    await stores.publications.publish([{ removedZones: ['acme'], feed: [entry('acme')] }])

    expect(await stores.quotas.list()).toEqual([])
  })
}

const deed = {
  at: new Date(0),
  action: 'zone.quotas',
  actor: 'account-key',
  target: 'acme',
  ip: undefined,
  userAgent: undefined,
  requestId: undefined,
  meta: {},
}
