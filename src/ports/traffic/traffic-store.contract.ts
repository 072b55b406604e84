import { expect, test } from 'bun:test'

import fc from 'fast-check'

import {
  type AudienceRow,
  type BeaconRow,
  keptDays,
  keptDetailHourDays,
  keptHourDays,
  keptMinuteDays,
  keptPathDays,
  maxBeaconRowsPerDay,
  maxErrorPathsPerDay,
  maxErrorPathsPerHour,
  maxNamesPerHour,
  maxReferrersPerDay,
  type TrafficFlush,
  type TrafficRow,
  type TrafficScope,
  type TrafficStore,
} from './traffic-store.ts'

export interface TrafficStores extends AsyncDisposable {
  readonly traffic: TrafficStore
}

/** What every TrafficStore must do. The test of each adapter calls this once. */
export function trafficStoreContract(name: string, open: () => Promise<TrafficStores>): void {
  const withStore =
    (run: (store: TrafficStore) => Promise<void>): (() => Promise<void>) =>
    async () => {
      await using stores = await open()
      await run(stores.traffic)
    }

  test(
    `${name}: a flush that is already there changes nothing`,
    withStore(async (store) => {
      expect(await store.record(flushOf([rowOf()]))).toBeTrue()
      expect(await store.record(flushOf([rowOf()]))).toBeFalse()
      expect(await store.record(flushOf([rowOf()], { number: 2 }))).toBeTrue()
      expect(await store.record(flushOf([rowOf()], { process: 'other' }))).toBeTrue()
      expect(await store.record(flushOf([rowOf()], { number: 1 }))).toBeFalse()

      expect(await store.daily(always)).toEqual([{ day, requests: 3, bytes: 30, hits: 3 }])
    }),
  )

  test(
    `${name}: an empty store answers nothing about anything`,
    withStore(async (store) => {
      for (const scope of [always, { ...always, zones: new Set<string>() }]) {
        expect(await store.daily(scope)).toEqual([])
        expect(await store.hourly(scope)).toEqual([])
        expect(await store.countries(scope)).toEqual([])
        expect(await store.topPaths(scope, 10)).toEqual([])
        expect(await store.errors(scope, 10)).toEqual([])
      }
      expect(await store.path('acme/v1/logos/a.svg', always)).toEqual([])
      expect(await store.beacons(always)).toEqual([])
    }),
  )

  test(
    `${name}: a zone is meant exactly, and all zones are the sum with those that named none`,
    withStore(async (store) => {
      const zones = ['aka', 'akande', '']
      await store.record(
        flushOf(
          zones.map((zone, place) => rowOf({ zone, path: `${zone}/v1/a`, requests: place + 1 })),
        ),
      )
      const requests = async (scope: TrafficScope) => (await store.daily(scope))[0]?.requests
      expect(await requests({ ...always, zones: new Set(['aka']) })).toBe(1)
      expect(await requests({ ...always, zones: new Set(['aka', 'akande']) })).toBe(3)
      expect(await requests(always)).toBe(6)
      expect(await requests({ ...always, zones: new Set(['ak']) })).toBeUndefined()
      const paths = await store.topPaths({ ...always, zones: new Set(['aka']) }, 9)
      expect(paths.map(({ path }) => path)).toEqual(['aka/v1/a'])
      const byZone = async (scope: TrafficScope) =>
        (await store.zoneDays(scope)).map((each) => [each.zone, each.day, each.requests])
      expect(await byZone(always)).toEqual([
        ['aka', day, 1],
        ['akande', day, 2],
      ])
      expect(await byZone({ ...always, zones: new Set(['akande']) })).toEqual([['akande', day, 2]])
      expect(await byZone({ ...always, zones: new Set() })).toEqual([])
    }),
  )

  test(
    `${name}: a period has both its days and no other`,
    withStore(async (store) => {
      for (let past = 0; past < 40; past += 1)
        await store.record(
          flushOf([rowOf(), rowOf({ status: 404, isAsset: false, path: 'acme/x' })], {
            number: past + 1,
            hour: (day - 40 + past) * 24 + 5,
          }),
        )
      for (const tidy of [false, true]) {
        if (tidy) await store.tidy(day)
        for (const [from, to] of [
          [39, 1],
          [30, 8],
          [7, 7],
          [25, 2],
        ] as const) {
          const scope = { ...always, fromDay: day - from, toDay: day - to }
          const count = from - to + 1
          expect(await store.daily(scope)).toHaveLength(count)
          expect(await store.topPaths(scope, 1)).toMatchObject([{ requests: count }])
          expect(await store.countries(scope)).toMatchObject([{ requests: 2 * count }])
          expect(await store.errors(scope, 1)).toMatchObject([
            { requests: count, paths: [{ path: 'acme/x', requests: count }] },
          ])
          expect(await store.path('acme/x', scope)).toHaveLength(count)
        }
      }
    }),
  )

  test(
    `${name}: what is counted for a day that is closed is added to it all the same`,
    withStore(async (store) => {
      const hour = (day - 20) * 24
      await store.record(flushOf([rowOf()], { hour }))
      await store.tidy(day)
      await store.record(flushOf([rowOf({ requests: 5 })], { hour, number: 2 }))

      expect(await store.topPaths(always, 1)).toMatchObject([{ requests: 6 }])
    }),
  )

  test(
    `${name}: assets are ranked by requests; of equals the one that was asked for first`,
    withStore(async (store) => {
      const counts = { b: 2, a: 2, c: 9, d: 1 }
      const rows = Object.entries(counts).map(([path, requests]) => rowOf({ path, requests }))
      await store.record(flushOf([...rows, rowOf({ path: '', requests: 100 })]))
      await store.record(flushOf([rowOf({ path: 'd', requests: 2, bytes: 5 })], { number: 2 }))

      expect(await store.topPaths(always, 3)).toEqual([
        { path: 'c', requests: 9, bytes: 10 },
        { path: 'd', requests: 3, bytes: 15 },
        { path: 'b', requests: 2, bytes: 10 },
      ])
      expect(await store.topPaths(always, 0)).toEqual([])
    }),
  )

  test(
    `${name}: many flushes of a day come to their exact sum`,
    withStore(async (store) => {
      for (let number = 1; number <= 100; number += 1)
        await store.record(
          flushOf([rowOf({ path: `p${number % 7}` }), rowOf({ path: 'p0' })], { number }),
        )
      const paths = await store.topPaths(always, 10)
      expect(paths).toHaveLength(7)
      expect(paths[0]).toEqual({ path: 'p0', requests: 114, bytes: 1140 })
      expect(paths.reduce((sum, { requests }) => sum + requests, 0)).toBe(200)
    }),
  )

  test(
    `${name}: countries are told apart and ranked`,
    withStore(async (store) => {
      await store.record(
        flushOf([
          rowOf({ country: 'XX' }),
          rowOf({ country: 'DE', requests: 3 }),
          rowOf({ country: 'AT' }),
          rowOf({ country: 'DE', zone: 'other', requests: 1 }),
        ]),
      )
      expect(await store.countries(always)).toEqual([
        { country: 'DE', requests: 4, bytes: 20 },
        { country: 'AT', requests: 1, bytes: 10 },
        { country: 'XX', requests: 1, bytes: 10 },
      ])
      expect(await store.countries({ ...always, zones: new Set(['other']) })).toHaveLength(1)
    }),
  )

  test(
    `${name}: errors are grouped by status, with the most frequent paths`,
    withStore(async (store) => {
      await store.record(
        flushOf([
          missing('x', 2),
          missing('y', 5),
          missing('', 7),
          rowOf({ status: 503, requests: 3 }),
          rowOf({ status: 304, requests: 50 }),
        ]),
      )
      expect(await store.errors(always, 1)).toEqual([
        { status: 404, requests: 14, paths: [{ path: 'y', requests: 5 }] },
        { status: 503, requests: 3, paths: [{ path: 'acme/v1/logos/a.svg', requests: 3 }] },
      ])
    }),
  )

  test(
    `${name}: a flood of refused paths keeps its sum and leaves room for the frequent ones`,
    withStore(async (store) => {
      for (let number = 1; number <= 3; number += 1)
        await store.record(
          flushOf(
            [
              ...Array.from({ length: 1_000 }, (_, each) =>
                missing(`made-up-${number}-${each}`, 1),
              ),
              missing('broken-link', 4),
            ],
            { number },
          ),
        )
      const [group] = await store.errors(always, 10_000)
      expect(group?.requests).toBe(3_012)
      expect(group?.paths[0]).toEqual({ path: 'broken-link', requests: 12 })
      expect(group?.paths.length).toBeLessThanOrEqual(maxErrorPathsPerDay)
    }),
  )

  test(
    `${name}: a path is reported by day, as an asset and as a refused address`,
    withStore(async (store) => {
      const path = 'acme/v1/logos/a.svg'
      await store.record(
        flushOf([
          rowOf({ status: 404, isAsset: false, requests: 2 }),
          rowOf({ status: 404, isAsset: false, zone: '', requests: 1 }),
          rowOf({ requests: 4 }),
          rowOf({ status: 416, requests: 1 }),
          rowOf({ path: 'acme/v1/logos/b.svg' }),
        ]),
      )
      const hour = (day + 1) * 24
      await store.record(flushOf([rowOf({ isHit: false, requests: 3 })], { number: 2, hour }))

      expect(await store.path(path, always)).toEqual([
        {
          day,
          requests: 8,
          bytes: 40,
          errors: new Map([
            [404, 3],
            [416, 1],
          ]),
        },
        { day: day + 1, requests: 3, bytes: 10, errors: new Map() },
      ])
    }),
  )

  test(
    `${name}: beacons are kept apart and have only so many rows`,
    withStore(async (store) => {
      const beacons = Array.from({ length: maxBeaconRowsPerDay + 100 }, (_, each) =>
        beaconOf({ path: `/${each}` }),
      )
      await store.record({ ...flushOf([]), beacons })
      await store.record({ ...flushOf([], { number: 2 }), beacons: [beaconOf({ path: '/0' })] })

      expect(await store.daily(always)).toEqual([])
      expect(await store.topPaths(always, 5)).toEqual([])
      const kept = await store.beacons(always)
      expect(kept.length).toBeLessThanOrEqual(maxBeaconRowsPerDay + 2)
      expect(kept.reduce((sum, { requests }) => sum + requests, 0)).toBe(beacons.length + 1)
      expect(kept.find(({ path }) => path === '/0')).toEqual({
        ...beaconOf({ path: '/0' }),
        day,
        requests: 2,
        bytes: 2,
      })
      expect(await store.beacons({ fromDay: day + 1, toDay: day + 9 })).toEqual([])
    }),
  )

  test(
    `${name}: a series tells each minute, hour and day of the zones that are asked for`,
    withStore(async (store) => {
      const made = rowOf({ status: 200, isHit: false, isTransform: true, path: 'm' })
      const rows = [
        rowOf({ requests: 3, bytes: 30 }),
        rowOf({ status: 304, bytes: 0 }),
        missing('x', 2),
        rowOf({ status: 503, isHit: false }),
        rowOf({ isTransform: true, requests: 4 }),
        made,
        rowOf({ zone: 'other', requests: 5 }),
      ]
      const latencies = [
        [40, 7],
        [41, 1],
      ] as const
      const audience = [audienceOf({ latencies }), audienceOf({ zone: 'other', latencies: [] })]
      const minute = day * 1440 + 61
      const hour = day * 24 + 1
      await store.record(flushOf(rows, { hour, minute: 1, audience }))
      await store.record(flushOf([rowOf()], { hour, minute: 2, number: 2, audience }))

      const first = {
        requests: 12,
        bytes: 70,
        hits: 10,
        status2xx: 8,
        status3xx: 1,
        status4xx: 2,
        status5xx: 1,
        transforms: 5,
        transformsMade: 1,
        latencies: new Map(latencies),
      }
      const acme = { from: minute, to: minute + 9, zones: new Set(['acme']) }
      const minutes = await store.series({ ...acme, step: 'minute' })
      expect(minutes).toMatchObject([
        { at: minute, ...first },
        { at: minute + 1, requests: 1, bytes: 10, latencies: first.latencies },
      ])
      for (const [step, at] of [
        ['hour', hour],
        ['day', day],
      ] as const)
        expect(await store.series({ step, from: at, to: at + 1, zones: undefined })).toMatchObject([
          {
            at,
            requests: 18,
            status2xx: 14,
            transforms: 5,
            transformsMade: 1,
            latencies: new Map([
              [40, 14],
              [41, 2],
            ]),
          },
        ])
      expect(await store.series({ ...acme, step: 'minute', zones: new Set() })).toEqual([])
    }),
  )

  test(
    `${name}: referrers and agents are told apart and ranked, and what is not is the rest`,
    withStore(async (store) => {
      const named = (requests: number, ...names: readonly string[]) =>
        names.map((each) => ({ name: each, requests, bytes: requests }))
      const audience = [
        audienceOf({ referrers: named(2, 'a.example', 'b.example'), agents: named(4, 'curl') }),
        audienceOf({ zone: 'other', referrers: named(3, 'b.example') }),
      ]
      await store.record(flushOf([], { audience }))
      expect(await store.names('referrer', always, 1)).toEqual({
        names: [{ name: 'b.example', requests: 5, bytes: 5 }],
        rest: { requests: 2, bytes: 2 },
      })
      expect(await store.names('agent', { ...always, zones: new Set(['acme']) }, 9)).toEqual({
        names: [{ name: 'curl', requests: 4, bytes: 4 }],
        rest: { requests: 0, bytes: 0 },
      })
      expect((await store.names('agent', { ...always, zones: new Set() }, 9)).names).toEqual([])
    }),
  )

  test(
    `${name}: referrers that are made up keep their sum and leave room for the frequent ones`,
    withStore(async (store) => {
      for (let number = 1; number <= 3; number += 1) {
        const referrers = Array.from({ length: 500 }, (_, each) => ({
          name: `h${number}-${each}.example`,
          requests: 1,
          bytes: 0,
        }))
        const frequent = { name: 'shop.example', requests: 4, bytes: 0 }
        const audience = [audienceOf({ referrers: [...referrers, frequent] })]
        await store.record(flushOf([], { number, audience }))
      }
      const { names, rest } = await store.names('referrer', always, 10_000)
      expect(names[0]).toEqual({ name: 'shop.example', requests: 12, bytes: 0 })
      expect(names.length).toBeLessThanOrEqual(maxReferrersPerDay)
      expect(requestsOf(names) + rest.requests).toBe(1_512)
    }),
  )

  test(
    `${name}: hours beside the days count, and no other hour of theirs`,
    withStore(async (store) => {
      const referrers = [{ name: 'a.example', requests: 1, bytes: 1 }]
      const audience = [audienceOf({ referrers, agents: referrers, ownRequests: 2 })]
      for (let each = 0; each < 72; each += 1)
        await store.record(
          flushOf([rowOf(), missing('acme/x', 1)], {
            number: each + 1,
            hour: (day - 1) * 24 + each,
            audience,
          }),
        )
      const hours = [
        { fromHour: day * 24 - 3, toHour: day * 24 },
        { fromHour: (day + 1) * 24, toHour: (day + 1) * 24 + 4 },
      ]
      for (const [scope, count] of [
        [{ fromDay: day, toDay: day, hours, zones: undefined }, 31],
        [{ fromDay: day, toDay: day - 1, hours, zones: new Set(['acme']) }, 7],
        [{ fromDay: day, toDay: day - 1, hours, zones: new Set(['other']) }, 0],
      ] as const) {
        const totals = [
          await store.topPaths(scope, 5),
          await store.errors(scope, 5),
          (await store.names('referrer', scope, 5)).names,
          (await store.names('agent', scope, 5)).names,
        ]
        for (const rows of totals) expect(requestsOf(rows)).toBe(count)
        expect(requestsOf(await store.countries(scope))).toBe(2 * count)
        expect(requestsOf((await store.names('own', scope, 5)).names)).toBe(2 * count)
        const { names } = await store.names('status', scope, 5)
        expect(names.map(({ name: status, requests }) => [status, requests])).toEqual(
          count === 0 ? [] : ['200', '404'].map((status) => [status, count]),
        )
      }
    }),
  )

  test(
    `${name}: an hour has room for so many names and paths, whose sum it keeps`,
    withStore(async (store) => {
      const flood = Array.from({ length: 3 * maxNamesPerHour }, (_, each) => each)
      for (let number = 1; number <= 2; number += 1) {
        const referrers = flood.map((each) => {
          return { name: `h${number}-${each}.example`, requests: 1, bytes: 0 }
        })
        const rows = flood.map((each) => missing(`made-up-${number}-${each}`, 1))
        await store.record(flushOf(rows, { number, audience: [audienceOf({ referrers })] }))
      }
      const hours = [{ fromHour: day * 24, toHour: day * 24 + 1 }]
      const scope = { fromDay: day, toDay: day - 1, hours, zones: undefined }
      const { names, rest } = await store.names('referrer', scope, 10_000)
      expect(requestsOf(names) + rest.requests).toBe(2 * flood.length)
      const [group] = await store.errors(scope, 10_000)
      expect(group?.requests).toBe(2 * flood.length)
      if (name !== 'memory') {
        expect(names.length).toBeLessThanOrEqual(maxNamesPerHour)
        expect(group?.paths.length).toBeLessThanOrEqual(maxErrorPathsPerHour)
      }
    }),
  )

  test(
    `${name}: a path is reported by the minute and the hour`,
    withStore(async (store) => {
      const path = 'acme/v1/logos/a.svg'
      const minute = day * 1440
      for (let number = 1; number <= 80; number += 1)
        await store.record(
          flushOf(
            [
              rowOf(),
              rowOf({ path: 'acme/v1/logos/b.svg' }),
              ...(number === 1 ? [rowOf({ status: 404, isAsset: false, requests: 2 })] : []),
              ...(number === 2 ? [rowOf({ status: 416, requests: 3 })] : []),
            ],
            { number, hour: day * 24 + Math.floor(number / 40), minute: number % 2 },
          ),
        )
      expect(
        await store.pathSteps(path, { step: 'hour', from: day * 24, to: day * 24 + 2 }),
      ).toEqual([
        { at: day * 24, requests: 44, bytes: 410, errors: 5 },
        { at: day * 24 + 1, requests: 40, bytes: 400, errors: 0 },
      ])
      expect(
        await store.pathSteps(path, { step: 'minute', from: minute, to: minute + 61 }),
      ).toEqual([
        { at: minute, requests: 22, bytes: 200 },
        { at: minute + 1, requests: 20, bytes: 200 },
        { at: minute + 60, requests: 20, bytes: 200 },
      ])
      await store.tidy(day + 2)
      const all = { from: 0, to: Number.MAX_SAFE_INTEGER }
      expect(await store.pathSteps(path, { step: 'minute', ...all })).toEqual([])
      expect(await store.pathSteps(path, { step: 'hour', ...all })).toHaveLength(3)
      await store.tidy(day + keptDetailHourDays)
      expect(await store.pathSteps(path, { step: 'hour', ...all })).toEqual([])
    }),
  )

  test(
    `${name}: what is older than it is kept is forgotten`,
    withStore(async (store) => {
      const ages = [0, keptMinuteDays, keptPathDays, keptHourDays, keptDays]
      for (const [place, age] of ages.toReversed().entries())
        await store.record({
          ...flushOf([rowOf()], { number: place + 1, hour: (day - age) * 24 }),
          beacons: [beaconOf({})],
        })
      await store.tidy(day)

      const scope = { ...always, fromDay: 0 }
      expect(await store.daily(scope)).toHaveLength(4)
      expect(await store.hourly(scope)).toHaveLength(3)
      expect(await store.beacons(scope)).toHaveLength(2)
      expect(await store.topPaths(scope, 1)).toMatchObject([{ requests: 4 }])
      for (const [step, width, count] of [
        ['minute', 1440, 1],
        ['hour', 24, 3],
        ['day', 1, 4],
      ] as const)
        expect(
          await store.series({ step, from: 0, to: (day + 1) * width, zones: undefined }),
        ).toHaveLength(count)
    }),
  )

  test(`${name}: every report adds up to what was recorded, however it was cut into flushes`, async () => {
    const rows = fc.array(
      fc.record({
        zone: fc.constantFrom('acme', 'other'),
        path: fc.constantFrom('a', 'b', 'c'),
        status: fc.constantFrom(200, 304, 404, 416, 500),
        isHit: fc.boolean(),
        country: fc.constantFrom('DE', 'FR', 'XX'),
        requests: fc.integer({ min: 1, max: 1_000 }),
        bytes: fc.integer({ min: 0, max: 2 ** 40 }),
      }),
      { maxLength: 12 },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(rows, { maxLength: 5 }), async (flushes) => {
        await using stores = await open()
        const { traffic } = stores
        const all = flushes.map((given) =>
          given.map((row) => ({ ...row, isAsset: row.status !== 404 })),
        )
        for (const [place, given] of all.entries())
          await traffic.record(flushOf(given, { number: place + 1 }))
        const sum = all.flat().reduce((total, { requests }) => total + requests, 0)
        const bytes = all.flat().reduce((total, row) => total + row.bytes, 0)
        const [total] = await traffic.daily(always)
        expect(total?.requests ?? 0).toBe(sum)
        expect(total?.bytes ?? 0).toBe(bytes)
        expect(requestsOf(await traffic.countries(always))).toBe(sum)
        expect(requestsOf(await traffic.errors(always, 10))).toBe(
          requestsOf(all.flat().filter(isError)),
        )
        expect(requestsOf(await traffic.topPaths(always, 10))).toBe(
          requestsOf(all.flat().filter(isAsset)),
        )
      }),
      { numRuns: 25 },
    )
  })
}

const isError = ({ status }: TrafficRow): boolean => status >= 400
const isAsset = (row: TrafficRow): boolean => row.isAsset

const missing = (path: string, requests: number): TrafficRow =>
  rowOf({ status: 404, isAsset: false, path, requests })

const requestsOf = (rows: readonly { readonly requests: number }[]): number =>
  rows.reduce((sum, { requests }) => sum + requests, 0)

const day = 20_000
const always: TrafficScope = { fromDay: day - 60, toDay: day + 10, zones: undefined }

const rowOf = (fields: Partial<TrafficRow> = {}): TrafficRow => ({
  zone: 'acme',
  path: 'acme/v1/logos/a.svg',
  isAsset: true,
  status: 200,
  isHit: true,
  country: 'DE',
  requests: 1,
  bytes: 10,
  ...fields,
})

const audienceOf = (fields: Partial<AudienceRow>): AudienceRow => ({
  zone: 'acme',
  latencies: [],
  referrers: [],
  agents: [],
  ...fields,
})

const beaconOf = (fields: Partial<BeaconRow>): BeaconRow => ({
  path: '/',
  country: 'XX',
  isHit: false,
  requests: 1,
  bytes: 1,
  ...fields,
})

const flushOf = (
  rows: readonly TrafficRow[],
  fields: Partial<TrafficFlush> = {},
): TrafficFlush => ({ process: 'one', number: 1, hour: day * 24, rows, beacons: [], ...fields })
