import { expect, test } from 'bun:test'

import { type LogQuery, type LogRecord, type LogStore, maxLogRecords } from './log-store.ts'

export interface LogStores extends AsyncDisposable {
  readonly logs: LogStore
}

/** What every LogStore must do. The test of each adapter calls this once. */
export function logStoreContract(name: string, open: () => Promise<LogStores>): void {
  test(`${name}: a record comes back as it was given`, async () => {
    await using stores = await open()
    const full = recordOf({
      message: 'a\nb "ü" \u2028',
      zone: 'acme',
      fields: { path: 'x', count: 1.5, isWell: false },
    })
    const bare = recordOf({ at: at(2), code: undefined, requestId: undefined, zone: undefined })
    await stores.logs.append([full, bare])

    expect(await stores.logs.query({ since: at(0), limit: 10 })).toEqual([bare, full])
  })

  test(`${name}: records come newest first; of one moment, the last written first`, async () => {
    await using stores = await open()
    await stores.logs.append([recordOf({ message: 'a', at: at(2) })])
    await stores.logs.append([
      recordOf({ message: 'b', at: at(3) }),
      recordOf({ message: 'c', at: at(3) }),
      recordOf({ message: 'd', at: at(1) }),
    ])

    expect(await found(stores, {})).toEqual(['c', 'b', 'a', 'd'])
  })

  test(`${name}: a query keeps to its time, level, zones and limit`, async () => {
    await using stores = await open()
    for (const second of [1, 2, 3])
      await stores.logs.append([
        recordOf({ message: `warn ${second}`, level: 'warn', at: at(second), zone: 'aka' }),
        recordOf({ message: `error ${second}`, level: 'error', at: at(second), zone: 'akande' }),
      ])

    expect(await found(stores, { since: at(3) })).toEqual(['error 3', 'warn 3'])
    expect(await found(stores, { level: 'warn', limit: 2 })).toEqual(['warn 3', 'warn 2'])
    expect(await found(stores, { zones: new Set(['aka']), limit: 1 })).toEqual(['warn 3'])
    expect(await found(stores, { zones: new Set(['ak']) })).toEqual([])
    expect(await found(stores, { zones: new Set() })).toEqual([])
  })

  test(`${name}: only the newest are kept`, async () => {
    await using stores = await open()
    const batch = 2_000
    for (let first = 0; first < maxLogRecords + 2 * batch; first += batch)
      await stores.logs.append(
        Array.from({ length: batch }, (_, each) => recordOf({ message: `${first + each}` })),
      )

    const kept = await found(stores, { limit: maxLogRecords + 10 })
    expect(kept).toHaveLength(maxLogRecords)
    expect([kept[0], kept.at(-1)]).toEqual([`${maxLogRecords + 2 * batch - 1}`, `${2 * batch}`])
  })

  test(`${name}: however many there are of one level, those of another stay`, async () => {
    await using stores = await open()
    await stores.logs.append([recordOf({ message: 'the error', level: 'error' })])
    const batch = 5_000
    for (let first = 0; first < maxLogRecords + batch; first += batch)
      await stores.logs.append(
        Array.from({ length: batch }, () => recordOf({ message: 'refused', level: 'info' })),
      )

    expect(await found(stores, { level: 'error' })).toEqual(['the error'])
    expect(await found(stores, { level: 'info', limit: maxLogRecords + 10 })).toHaveLength(
      maxLogRecords,
    )
  })

  test(`${name}: what is older than a moment is forgotten and counted`, async () => {
    await using stores = await open()
    await stores.logs.append([1, 2, 3].map((second) => recordOf({ at: at(second) })))

    expect(await stores.logs.forgetBefore(at(3))).toBe(2)
    expect(await found(stores, {})).toHaveLength(1)
  })
}

const at = (second: number): Date => new Date(Date.UTC(2026, 3, 1, 12, 0, second))

const recordOf = (fields: Partial<LogRecord>): LogRecord => ({
  at: at(1),
  level: 'warn',
  code: 'NotFound',
  message: 'request refused',
  requestId: 'b8a3f1de-0000-4000-8000-000000000000',
  zone: undefined,
  fields: {},
  ...fields,
})

const found = async ({ logs }: LogStores, query: Partial<LogQuery>) =>
  (await logs.query({ since: at(0), limit: 100, ...query })).map(({ message }) => message)
