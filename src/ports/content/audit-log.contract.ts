import { expect, test } from 'bun:test'

import type { AuditPlace } from './audit-log.ts'
import { at, auditOf, type MetadataStores } from './publication-store.contract.ts'

/** What every AuditLog must do. The test of each adapter calls this once. */
export function auditLogContract(name: string, open: () => Promise<MetadataStores>): void {
  test(`${name}: an appended record comes back as it was given`, async () => {
    await using stores = await open()
    const full = auditOf({ userAgent: 'curl/8 "ü"', meta: { nested: { a: [1, null] } } })
    const bare = auditOf({ at: at(6), ip: undefined, requestId: undefined, meta: {} })
    await stores.audit.append(full)
    await stores.audit.append(bare)

    expect(await stores.audit.query({ since: at(0), limit: 10 })).toMatchObject([bare, full])
  })

  test(`${name}: half a surrogate pair is no fault, and quotes and backslashes stay as they are`, async () => {
    await using stores = await open()
    const said = auditOf({ userAgent: String.raw`"\u0041\" \\ `, target: 'a\ud800b' })
    await stores.audit.append(said)

    const [kept] = await stores.audit.query({ since: at(0), limit: 10 })
    // A database keeps what stands for it.
    expect({ ...kept, target: kept?.target.toWellFormed() }).toMatchObject({
      ...said,
      target: 'a\ufffdb',
    })
  })

  test(`${name}: records come newest first; of one moment, the last written first`, async () => {
    await using stores = await open()
    for (const [action, time] of [
      ['b', 2],
      ['a', 1],
      ['c', 3],
      ['c2', 3],
      ['b2', 2],
    ] as const)
      await stores.audit.append(auditOf({ action, at: at(time) }))

    expect(await found(stores, {})).toEqual(['c2', 'c', 'b2', 'b', 'a'])
  })

  test(`${name}: records of a publication are found beside appended ones`, async () => {
    await using stores = await open()
    await stores.audit.append(auditOf({ action: 'first' }))
    await stores.publications.publish([
      { audit: [auditOf({ action: 'second' })], feed: [] },
      { audit: [auditOf({ action: 'third' }), auditOf({ action: 'fourth' })], feed: [] },
    ])

    expect(await found(stores, {})).toEqual(['fourth', 'third', 'second', 'first'])
  })

  test(`${name}: a query keeps to its time, its action and its limit`, async () => {
    await using stores = await open()
    for (const time of [1, 2, 3, 4])
      for (const action of ['x', 'y'])
        await stores.audit.append(auditOf({ action, at: at(time), target: `${action}${time}` }))

    const targets = async (query: object) =>
      (await stores.audit.query({ since: at(0), limit: 100, ...query })).map(({ target }) => target)
    expect(await targets({ since: at(3) })).toEqual(['y4', 'x4', 'y3', 'x3'])
    expect(await targets({ action: 'x' })).toEqual(['x4', 'x3', 'x2', 'x1'])
    expect(await targets({ action: 'x', since: at(2), limit: 2 })).toEqual(['x4', 'x3'])
    expect(await targets({ action: 'X' })).toEqual([])
    expect(await targets({ limit: 0 })).toEqual([])
  })

  test(`${name}: reading goes on after a place, whatever came meanwhile`, async () => {
    await using stores = await open()
    for (const [place, time] of [1, 2, 2, 2, 3].entries())
      await stores.audit.append(auditOf({ action: String(place), at: at(time) }))
    const seen: string[] = []
    let after: AuditPlace | undefined
    for (;;) {
      const [record] = await stores.audit.query({ since: at(0), after, limit: 1 })
      if (record === undefined) break
      seen.push(record.action)
      after = { atMs: record.at.getTime(), seq: record.seq }
      await stores.audit.append(auditOf({ action: 'later', at: at(9) }))
    }
    expect(seen).toEqual(['4', '3', '2', '1', '0'])
  })

  test(`${name}: what is older than a moment is forgotten and counted, the rest stays`, async () => {
    await using stores = await open()
    for (const time of [1, 2, 3])
      await stores.audit.append(auditOf({ action: `${time}`, at: at(time) }))

    expect(await stores.audit.forgetBefore(at(2))).toBe(1)
    expect(await stores.audit.forgetBefore(at(2))).toBe(0)
    expect(await found(stores, {})).toEqual(['3', '2'])
    await stores.audit.append(auditOf({ action: '4', at: at(4) }))
    expect(await found(stores, {})).toEqual(['4', '3', '2'])
  })
}

const found = async (stores: MetadataStores, query: object) =>
  (await stores.audit.query({ since: at(0), limit: 100, ...query })).map(({ action }) => action)
