import { expect, test } from 'bun:test'

import type { PackLedger } from './pack-ledger.ts'
import type { PublicationStore } from './publication-store.ts'

export interface LedgerUnderTest extends AsyncDisposable {
  readonly ledger: PackLedger
  readonly publications: PublicationStore
}

const commit = (number: number): string => number.toString(16).padStart(40, '0')
const pack = (number: number) => ({
  sha256: number.toString(16).padStart(64, '0'),
  sizeBytes: number,
})
const step = (number: number) => ({
  after: number === 1 ? undefined : commit(number - 1),
  commitId: commit(number),
  packs: [pack(number)],
})

/** What every PackLedger must do. The test of each adapter calls this once. */
export function packLedgerContract(name: string, open: () => Promise<LedgerUnderTest>): void {
  test(`${name}: packs come with the publication that they belong to, in order`, async () => {
    await using opened = await open()
    const { ledger, publications } = opened

    expect(await ledger.last()).toBeUndefined()
    await ledger.append(step(1))
    for (const number of [2, 3])
      await publications.publish([{ commitId: commit(number), packs: step(number), feed: [] }])
    const records = await ledger.after(0)
    expect(records).toMatchObject([step(1), step(2), step(3)])
    expect(await ledger.last()).toEqual(records[2])
    expect(await ledger.after(records[1]?.place ?? 0)).toEqual(records.slice(2))
  })

  test(`${name}: joined records leave one that leads as far`, async () => {
    await using opened = await open()
    const { ledger } = opened
    for (const number of [1, 2, 3, 4]) await ledger.append(step(number))
    const [, second, third] = await ledger.after(0)

    await ledger.join(second?.place ?? 0, third?.place ?? 0, [pack(23)])
    expect(await ledger.after(0)).toMatchObject([
      step(1),
      { place: third?.place, after: commit(1), commitId: commit(3), packs: [pack(23)] },
      step(4),
    ])
    expect(await ledger.after(second?.place ?? 0)).toHaveLength(2)
  })

  test(`${name}: what was joined or taken away meanwhile is not joined again`, async () => {
    await using opened = await open()
    const { ledger } = opened
    await ledger.append(step(1))

    await expect(ledger.join(7, 9, [pack(1)])).rejects.toThrow()
    expect(await ledger.after(0)).toMatchObject([step(1)])
  })
}
