import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, startService, temporaryDirectory } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const dayMs = 86_400_000
const limitMs = 120_000

const firstOf = (monthsBack: number): number => {
  const now = new Date()
  return Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - monthsBack, 1)
}
const dateOf = (moment: number): string => new Date(moment).toISOString().slice(0, 10)
const monthOf = (moment: number): string => dateOf(moment).slice(0, 7)

const open = (dataDirectory: string) =>
  openLocalService({ dataDirectory, environment: { SEARCH_BY_NAME_ONLY: 'true' } })

/** Has the service's clock show a moment, which goes on from there; what is counted from then on is of that. */
function clockOf(service: LocalService) {
  let aheadMs = 0
  return async (moment: number): Promise<void> => {
    const wanted = moment - Date.now()
    service.wait(wanted - aheadMs)
    aheadMs = wanted
    await worldOf(service).client.getUsage({})
  }
}

const get = async ({ url }: { readonly url: string }, path: string): Promise<void> => {
  await (await fetch(`${url}/${path}`)).bytes()
}

test(
  'what is stored and used belongs to the day in UTC, on both sides of the end of a month',
  async () => {
    await using directory = await temporaryDirectory()
    await using service = await open(directory.path)
    const world = worldOf(service)
    const { client } = world
    const showTime = clockOf(service)
    const border = firstOf(1)
    await showTime(border - 3_600_000)
    await world.zone('acme')
    await world.put('acme/v1/a.bin', new Uint8Array(10))
    await get(service, 'acme/v1/a.bin')
    await client.getUsage({})
    await showTime(border + 3_600_000)
    await world.put('acme/v1/b.bin', new Uint8Array(5))
    for (const path of ['a.bin', 'b.bin', 'b.bin']) await get(service, `acme/v1/${path}`)
    await client.getUsage({})
    await showTime(border + 40 * dayMs)

    const before = await client.getUsage({ month: monthOf(border - 1) })
    expect(before.Totals).toMatchObject({ StoredBytes: 10, Files: 1, Uploads: 1, Requests: 1 })
    expect(before.Totals).toMatchObject({ Bytes: 10, StoredByteDays: 10 })
    expect(before.Period.To).toBe(dateOf(border - 1))
    expect(before.Daily.at(-1)).toMatchObject({ Date: dateOf(border - 1), StoredBytes: 10 })
    const after = await client.getUsage({ month: monthOf(border) })
    expect(after.Totals).toMatchObject({ StoredBytes: 15, Files: 2, Uploads: 1, Requests: 3 })
    expect(after.Totals).toMatchObject({ Bytes: 20, StoredByteDays: 15 * after.Period.Days })
    expect(after.Daily[0]).toMatchObject({ Date: dateOf(border), Uploads: 1, Requests: 3 })
    expect(after.Daily[1]).toMatchObject({ StoredBytes: 15, Uploads: 0, Requests: 0 })
    const both = await client.getUsage({ from: dateOf(border - dayMs), to: dateOf(border) })
    expect(both.Totals).toMatchObject({ StoredBytes: 15, Uploads: 2, Requests: 4, Bytes: 30 })
  },
  limitMs,
)

test(
  'the first day of 13 months is there a year later, after a start and what it forgets, to the byte',
  async () => {
    await using directory = await temporaryDirectory()
    const first = firstOf(12)
    {
      await using service = await open(directory.path)
      await clockOf(service)(first + 12 * 3_600_000)
      const world = worldOf(service)
      const { client } = world
      await world.zone('acme')
      await world.put('acme/v1/a.bin', new Uint8Array(10))
      await get(service, 'acme/v1/a.bin')
      await client.getUsage({})
    }
    await using service = await open(directory.path)
    const { client } = worldOf(service)
    const oldest = await client.getUsage({ month: monthOf(first) })
    expect(oldest.Daily[0]).toMatchObject({ Date: dateOf(first), Uploads: 1, Bytes: 10 })
    const year = await client.getUsage({ days: 397 })
    expect(year.Period.From).toBe(dateOf(first))
    expect(year.Totals).toMatchObject({ StoredBytes: 10, Files: 1, Uploads: 1, Requests: 1 })
    expect(year.Totals.StoredByteDays).toBe(10 * year.Period.Days)
    expect((await client.getUsage({})).Totals).toMatchObject({ StoredBytes: 10, Uploads: 0 })
    await expect(client.getUsage({ month: monthOf(firstOf(13)) })).rejects.toThrow('13 months')
  },
  limitMs,
)

for (const zone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago'])
  test(
    `days are UTC wherever the machine is: ${zone}`,
    async () => {
      await using directory = await temporaryDirectory()
      const environment = { TZ: zone }
      const dataDirectory = join(directory.path, 'data')
      await using service = await startService({ dataDirectory, environment })
      const begun = Date.now()
      const asked = await fetch(`${service.url}/api/usage?days=1`, { headers: access })
      const { Period } = (await asked.json()) as { Period: { From: string; To: string } }
      expect([dateOf(begun), dateOf(Date.now())]).toContain(Period.To)
      expect(Period.From).toBe(Period.To)
      const month = monthOf(Date.parse(Period.To))
      const ofMonth = await fetch(`${service.url}/api/usage?month=${month}`, { headers: access })
      expect(((await ofMonth.json()) as { Period: object }).Period).toMatchObject({
        From: `${month}-01`,
      })
    },
    limitMs,
  )
