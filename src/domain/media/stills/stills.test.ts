import { expect, test } from 'bun:test'

import { MemoryRenderer } from '../../../adapters/memory/media/memory-renderer.ts'
import { MemoryVariantStore } from '../../../adapters/memory/media/memory-variant-store.ts'
import type { StillJob, StillOutcome } from '../../../ports/media/still-maker.ts'
import { createCostModel } from '../render/costs/cost-model.ts'
import { createRenderQueue } from '../render/render-queue.ts'
import { hasNothingToSee } from './drawn-cards.ts'
import { stillName } from './still-names.ts'
import { createStills } from './stills.ts'

const sha256 = 'a'.repeat(64)
const made: StillOutcome = {
  outcome: 'made',
  bytes: new Uint8Array([1, 2, 3]),
  format: 'png',
  pages: 3,
  text: 'Annual report',
}
const asking = { priority: 'interactive' } as const

function setUp(outcome: StillOutcome | (() => Promise<StillOutcome>)) {
  const jobs: StillJob[] = []
  const erased = { value: false }
  const variants = new MemoryVariantStore({ maxBytes: 1e6, maxPerSource: 100 })
  const store = Object.assign(variants, {
    path: async (key: string) => (await variants.get(key)) && `/stills/${key}`,
  })
  const queue = createRenderQueue({
    renderer: new MemoryRenderer(new Map()),
    costs: createCostModel(),
    now: () => 0,
  })
  const maker = {
    kinds: ['pdf'] as const,
    maxMs: 1000,
    make: async (job: StillJob) => {
      jobs.push(job)
      const result = typeof outcome === 'function' ? await outcome() : outcome
      return { result, cpuMs: 10, wallMs: 10 }
    },
    [Symbol.asyncDispose]: async () => {},
  }
  const files = { path: async (name: string) => `/blobs/${name}`, open: async () => undefined }
  const stills = createStills({
    makers: [maker],
    queue,
    files,
    store,
    isErased: () => erased.value,
  })
  const record = (page?: number) => ({
    sha256: stillName(sha256, { page }),
    zone: 'acme',
    sizeBytes: 100,
  })
  return { stills, jobs, erased, record, sizeBytes: () => store.sizeBytes }
}

test('a still is made once for all who ask, and then it is kept', async () => {
  const { stills, jobs, record } = setUp(made)
  const all = await Promise.all([1, 1, 1].map((page) => stills.find(record(page), 'pdf', asking)))
  const again = await stills.find(record(), 'pdf', asking)

  expect(new Set([...all, again].map(({ path }) => path)).size).toBe(1)
  expect(again).toMatchObject({ format: 'png', pages: 3 })
  expect(jobs).toEqual([
    {
      kind: 'still',
      path: `/blobs/${sha256}`,
      of: 'pdf',
      at: { page: undefined, seconds: undefined },
    },
  ])
  expect(await stills.text(record(), 'pdf', asking)).toBe('Annual report')
})

test('each page is a still of its own', async () => {
  const { stills, jobs, record } = setUp(made)
  const first = await stills.find(record(), 'pdf', asking)
  const second = await stills.find(record(2), 'pdf', asking)

  expect(second.path).not.toBe(first.path)
  expect(jobs.map(({ at }) => at.page)).toEqual([undefined, 2])
})

test('one that was forgotten is made anew', async () => {
  const { stills, jobs, record } = setUp(made)
  await stills.find(record(), 'pdf', asking)
  await stills.forget(record(2).sha256)
  await stills.path(record(), { of: 'pdf' })

  expect(jobs.length).toBe(2)
})

test('of what is erased meanwhile nothing is kept', async () => {
  const { promise, resolve } = Promise.withResolvers<StillOutcome>()
  const { stills, erased, record, sizeBytes } = setUp(() => promise)
  const finding = stills.find(record(), 'pdf', asking)
  erased.value = true
  resolve(made)

  await expect(finding).rejects.toMatchObject({ code: 'Unavailable' })
  expect(sizeBytes()).toBe(0)
})

test('that there is nothing to be seen is kept too', async () => {
  const { stills, jobs, record } = setUp({ outcome: 'none' })
  for (let count = 0; count < 2; count += 1)
    expect(
      hasNothingToSee(await stills.find(record(), 'pdf', asking).catch((error: unknown) => error)),
    ).toBe(true)
  expect(jobs.length).toBe(1)
})

test('what is not installed is named, and asked for again', async () => {
  const { stills, jobs, record } = setUp({ outcome: 'absent', install: 'npm install x@1' })
  for (let count = 0; count < 2; count += 1)
    await expect(stills.find(record(), 'pdf', asking)).rejects.toMatchObject({
      code: 'StillUnavailable',
      context: { Install: 'npm install x@1' },
    })
  expect(jobs.length).toBe(2)
})

test('a kind that nobody makes, a page that is not there and a file too large are refused', async () => {
  const { stills, record } = setUp({ outcome: 'beyond', target: 'page', has: '3 pages' })
  expect(stills.find(record(), 'font', asking)).rejects.toMatchObject({ code: 'StillUnavailable' })
  expect(stills.find(record(9), 'pdf', asking)).rejects.toMatchObject({
    code: 'UnprocessableImage',
    target: 'page',
    message: 'The file has 3 pages',
  })
  const large = { ...record(), sizeBytes: 101 * 2 ** 20 }
  const refused = { code: 'UnprocessableImage', message: expect.stringContaining('at most') }
  await expect(stills.find(large, 'pdf', asking)).rejects.toMatchObject(refused)
  await expect(stills.path(large, { of: 'pdf' })).rejects.toMatchObject(refused)
})

test('a still waits for its turn, and many that wait are turned away', async () => {
  const { promise, resolve } = Promise.withResolvers<StillOutcome>()
  const { stills, jobs, record } = setUp(() => promise)
  const pages = Array.from({ length: 60 }, (_, index) => index + 1)
  const all = Promise.allSettled(pages.map((page) => stills.find(record(page), 'pdf', asking)))
  await Bun.sleep(1)
  expect(jobs.length).toBe(1)
  resolve(made)
  const refused = (await all).filter(({ status }) => status === 'rejected')

  expect(refused.length).toBeGreaterThan(20)
  expect(refused[0]).toMatchObject({ reason: { code: 'Unavailable' } })
})
