import { expect, test } from 'bun:test'

import type { WriterLease } from './writer-lease.ts'

/** A lease with a term that is over soon, and the same lease as another node sees it. */
export interface LeaseUnderTest extends AsyncDisposable {
  readonly lease: WriterLease
  readonly other: WriterLease
  /** Answers once whatever was taken or renewed before it has run out. */
  outlastTerm(): Promise<void>
}

const [here, there] = ['http://10.0.0.1:8788', 'http://10.0.0.2:8788']

/** What every WriterLease must do. The test of each adapter calls this once. */
export function writerLeaseContract(name: string, open: () => Promise<LeaseUnderTest>): void {
  test(`${name}: nobody has it at first, and who takes it has it for everybody`, async () => {
    await using opened = await open()
    const { lease, other } = opened

    expect(await lease.holder()).toBeUndefined()
    const epoch = await lease.take(here)
    expect(epoch).toBeGreaterThan(0)
    expect(await other.holder()).toEqual({ url: here, epoch: epoch ?? 0 })
    expect(await other.take(there)).toBeUndefined()
    expect(await lease.take(here)).toBeUndefined()
  })

  test(`${name}: of many that take it at once one gets it`, async () => {
    await using opened = await open()
    const { lease, other } = opened

    const taken = await Promise.all(
      Array.from({ length: 8 }, (_, place) => (place % 2 === 0 ? lease : other).take(here)),
    )
    expect(taken.filter((epoch) => epoch !== undefined)).toHaveLength(1)
  })

  test(`${name}: once its term is over another one takes it, and the former epoch is not renewed`, async () => {
    await using opened = await open()
    const { lease, other } = opened
    const former = (await lease.take(here)) ?? 0
    await opened.outlastTerm()

    expect(await lease.holder()).toBeUndefined()
    const next = (await other.take(there)) ?? 0
    expect(next).toBeGreaterThan(former)
    expect(await lease.renew(former)).toBeFalse()
    await lease.release(former)
    expect(await lease.holder()).toEqual({ url: there, epoch: next })
  })

  test(`${name}: an epoch that nobody followed is renewed even after its term`, async () => {
    await using opened = await open()
    const { lease, other } = opened
    const epoch = (await lease.take(here)) ?? 0
    await opened.outlastTerm()

    expect(await lease.renew(epoch)).toBeTrue()
    expect(await other.holder()).toEqual({ url: here, epoch })
  })

  test(`${name}: what is given up is free at once, and the next epoch is higher`, async () => {
    await using opened = await open()
    const { lease, other } = opened
    const former = (await lease.take(here)) ?? 0
    await lease.release(former)

    expect(await other.holder()).toBeUndefined()
    expect(await lease.renew(former)).toBeFalse()
    expect(await other.take(there)).toBeGreaterThan(former)
  })
}
