import { expect, test } from 'bun:test'

import type { NewFeedEntry } from '../../ports/records/feed.ts'
import type { BoundDelivery } from '../../ports/records/zone.ts'
import { type ZoneQuotaName, zoneQuotaNames } from '../../lib/zone-quota-names.ts'
import { createQuotaWatch } from './quota-watch.ts'

type Amounts = Partial<Record<ZoneQuotaName, number>>

const noUse = Object.fromEntries(zoneQuotaNames.map((name) => [name, 0])) as Record<
  ZoneQuotaName,
  number
>

function setUp(limits: Amounts, mode: 'degrade' | 'cut' = 'degrade') {
  const zone: { name: string; delivery?: BoundDelivery } = { name: 'acme' }
  const told: NewFeedEntry[] = []
  const claimed = new Set<string>()
  const world = { use: {} as Amounts, at: new Date('2026-11-30T23:59:00Z'), zone, told }
  const bounds = {
    isBounded: (name: string) => name === 'acme',
    limitOf: (name: string, quota: ZoneQuotaName) => (name === 'acme' ? limits[quota] : undefined),
    whenUsedUp: () => mode,
  }
  const open = () =>
    createQuotaWatch({
      bounds,
      uses: { of: async () => ({ ...noUse, ...world.use }), sums: async () => new Map() },
      zones: () => [zone, { name: 'bolt' }],
      async setDelivery(name, delivery) {
        expect(name).toBe('acme')
        if (delivery === undefined) delete zone.delivery
        else zone.delivery = delivery
      },
      async claim(name, month) {
        const isFirst = !claimed.has(`${name} ${month}`)
        claimed.add(`${name} ${month}`)
        return isFirst
      },
      announce: async (entries) => void told.push(...entries),
      now: () => world.at,
      log: { warn: (message) => expect(message).toBe('never') },
    })
  return Object.assign(world, { open })
}

const toldOf = (told: readonly NewFeedEntry[]) =>
  told.map(({ event, data }) => [event, data['quota'], data['used']])

for (const name of zoneQuotaNames)
  test(`${name}: nothing is told at 79 %, a warning at 80 %, and the end at 100 %, each once`, async () => {
    const world = setUp({ [name]: 1000 })
    const watch = world.open()
    const at = async (used: number) => {
      world.use = { [name]: used }
      await watch.look()
      await watch.look()
      return toldOf(world.told.splice(0))
    }

    expect(await at(790)).toEqual([])
    expect(await at(799)).toEqual([])
    expect(await at(800)).toEqual([['quota.warning', name, 800]])
    expect(await at(999)).toEqual([])
    expect(watch.isUsedUp('acme', name)).toBe(false)
    expect(await at(1000)).toEqual([['quota.reached', name, 1000]])
    expect(watch.isUsedUp('acme', name)).toBe(true)
    expect(await at(1200)).toEqual([])
  })

test('what was told is not told again after a start, but in the next month it is', async () => {
  const world = setUp({ requests: 10 })
  world.use = { requests: 9 }
  await world.open().look()
  await world.open().look()
  expect(toldOf(world.told)).toEqual([['quota.warning', 'requests', 9]])

  world.at = new Date('2026-12-01T00:00:00Z')
  await world.open().look()
  expect(world.told).toHaveLength(2)
  expect(world.told[0]?.data['resets']).toBe('2026-12-01T00:00:00.000Z')
  expect(world.told[1]?.data['resets']).toBe('2027-01-01T00:00:00.000Z')
})

test('delivery is degraded while traffic, requests or new variants are used up, and whole again', async () => {
  for (const name of ['traffic', 'requests', 'new-variants'] as const) {
    const world = setUp({ [name]: 10, files: 10 })
    const watch = world.open()
    world.use = { [name]: 10, files: 20 }
    await watch.look()
    expect(world.zone.delivery).toBe('degraded')
    world.use = { files: 20 }
    await watch.look()
    expect(world.zone.delivery).toBeUndefined()
  }
})

test('a zone that wants to be cut is, by what was delivered and not by what was made', async () => {
  const world = setUp({ traffic: 10, 'new-variants': 10 }, 'cut')
  const watch = world.open()
  world.use = { 'new-variants': 10 }
  await watch.look()
  expect(world.zone.delivery).toBeUndefined()
  world.use = { traffic: 11 }
  await watch.look()
  expect(world.zone.delivery).toBe('cut')
})

test('a zone that is bounded no more is delivered whole again', async () => {
  const limits: Amounts = { traffic: 10 }
  const world = setUp(limits)
  const watch = world.open()
  world.use = { traffic: 10 }
  await watch.look()
  delete limits.traffic
  await watch.look()
  expect(world.zone.delivery).toBeUndefined()
})
