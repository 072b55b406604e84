import { expect, test } from 'bun:test'

import { MemoryRenderer } from '../../../adapters/memory/media/memory-renderer.ts'
import type { TransformJob } from '../../../ports/media/renderer.ts'
import { analyseCost, createCostModel } from './costs/cost-model.ts'
import { createRenderQueue } from './render-queue.ts'
import { headerSample } from '../../../ports/media/media-facts-store.contract.ts'

const size = { width: 4, height: 3 }
const header = { ...headerSample, ...size }

function setUp({ slots = 1, cpuMs = 10 } = {}) {
  const pictures = new Map(
    Array.from({ length: 600 }, (_, index) => [`/${index}`, { header }] as const),
  )
  const renderer = new MemoryRenderer(pictures, { slots, cpuMs })
  renderer.hold()
  let at = 0
  const timers = new Set<{ readonly dueAt: number; readonly act: () => void }>()
  const later = (ms: number, act: () => void) => {
    const timer = { dueAt: at + ms, act }
    timers.add(timer)
    return () => void timers.delete(timer)
  }
  const queue = createRenderQueue({ renderer, costs: createCostModel(), now: () => at, later })
  let count = 0
  const wait = (ms: number) => {
    at += ms
    for (const timer of timers) if (timer.dueAt <= at && timers.delete(timer)) timer.act()
  }
  /** Jobs are numbered as they are sent. */
  const send = (cpuCost: number, options: Partial<Parameters<typeof queue.run>[0]> = {}) => {
    const number = count++
    const done = queue.run({
      job: jobOn(`/${number}`),
      zone: 'a',
      cost: { kind: `kind-${cpuCost}`, cpuMs: cpuCost },
      priority: 'interactive',
      ...options,
    })
    done.catch(() => {})
    return done
  }
  const order = async () => {
    renderer.release()
    for (let turn = 0; turn < 2000; turn += 1) await Promise.resolve()
    return renderer.begun.map((job) => Number(('source' in job ? job.source.path : '').slice(1)))
  }
  return { renderer, queue, wait, send, order }
}

const jobOn = (path: string): TransformJob => ({
  kind: 'transform',
  source: { path, format: 'png', size, isSrgb: true },
  isAnimated: false,
  resize: size,
  output: { format: 'webp', quality: 80, effort: 'fast', isGraphic: false },
})

test('the shortest job goes first', async () => {
  const { send, order } = setUp()
  for (const cost of [10, 300, 20, 100]) void send(cost)

  expect(await order()).toEqual([0, 2, 3, 1])
})

test('a long job that has waited goes before a short one that has just come', async () => {
  const { send, order, wait } = setUp()
  void send(110)
  void send(400)
  wait(400)
  void send(120)

  expect(await order()).toEqual([0, 1, 2])
})

test('more work than two seconds of waiting is turned away, and lets others in again once it is done', async () => {
  const { send, order } = setUp()
  const answers = Array.from({ length: 10 }, () => send(500))
  const settled = Promise.allSettled(answers)
  await order()

  const refused = (await settled).filter(({ status }) => status === 'rejected')
  expect(refused.length).toBe(5)
  expect(refused[0]).toMatchObject({ reason: { code: 'Unavailable' } })
  expect(await send(500)).toHaveProperty('result')
})

test('with two slots the wait for the same work is half as long', async () => {
  const { send, order } = setUp({ slots: 2 })
  const settled = Promise.allSettled(Array.from({ length: 20 }, () => send(500)))
  await order()

  expect((await settled).filter(({ status }) => status === 'fulfilled').length).toBe(9)
})

test('a zone that sends much is turned away without another zone noticing', async () => {
  const { send, order } = setUp()
  const flood = Promise.allSettled(Array.from({ length: 50 }, () => send(400, { zone: 'flood' })))
  const quiet = Promise.allSettled([send(300, { zone: 'quiet' }), send(300, { zone: 'quiet' })])
  const begun = await order()

  expect((await flood).filter(({ status }) => status === 'rejected').length).toBeGreaterThan(40)
  expect((await quiet).map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled'])
  expect(begun.indexOf(50)).toBeLessThan(3)
})

test('zones that both send much get the same share', async () => {
  const { send, order } = setUp()
  for (let turn = 0; turn < 5; turn += 1) void send(200, { zone: 'a' })
  for (let turn = 0; turn < 5; turn += 1) void send(200, { zone: 'b' })
  const begun = await order()
  const firstSix = begun.slice(0, 6).map((number) => (number < 5 ? 'a' : 'b'))

  expect(firstSix.filter((zone) => zone === 'a').length).toBe(3)
})

test('a job whose last waiter has left never begins; one that has begun is finished', async () => {
  const { send, order } = setUp()
  const leaving = new AbortController()
  const begun = send(110, { signal: leaving.signal })
  const waiting = send(110, { signal: leaving.signal })
  leaving.abort(new Error('left'))
  const settled = Promise.allSettled([begun, waiting])

  expect(await order()).toEqual([0])
  expect((await settled).map(({ status }) => status)).toEqual(['fulfilled', 'rejected'])
})

test('who has left already is not let in', () => {
  const { send, queue } = setUp()

  expect(send(10, { signal: AbortSignal.abort(new Error('left')) })).rejects.toThrow('left')
  expect(queue.state).toMatchObject({ running: 0, queued: 0 })
})

test('background work waits for all others, and leaves a slot free where there are several', async () => {
  const { send, order, queue } = setUp({ slots: 2 })
  for (let turn = 0; turn < 3; turn += 1) void send(10, { priority: 'background' })
  expect(queue.state).toMatchObject({ running: 1, queuedInBackground: 2 })
  void send(500)
  void send(500)

  expect(await order()).toEqual([0, 3, 4, 1, 2])
})

test('a free slot always lets in, however long it will probably take and whatever is in the background', async () => {
  const { send, order, queue } = setUp({ slots: 2 })
  for (let turn = 0; turn < 20; turn += 1) void send(60_000, { priority: 'background' })
  expect(queue.state).toMatchObject({ running: 1, queuedInBackground: 19 })

  const quick = send(5)
  expect(queue.state).toMatchObject({ running: 2, queued: 0 })
  await order()
  expect(await quick).toHaveProperty('result')
})

test('who waits is not turned away for work in the background', async () => {
  const { send, order } = setUp({ slots: 2 })
  void send(60_000, { priority: 'background' })
  const answers = [send(500), send(500), send(500)]
  await order()

  for (const answer of answers) expect(await answer).toHaveProperty('result')
})

test('a lane of one slot lets what somebody waits for begin beside work in the background', async () => {
  const { send, queue } = setUp()
  void send(110, { priority: 'background' })
  void send(110)
  void send(110)
  void send(110, { priority: 'background' })

  expect(queue.state).toMatchObject({ running: 2, queued: 1, queuedInBackground: 1 })
})

test('what is short does not wait behind what is long, and there is one such place', async () => {
  const { send, queue } = setUp({ slots: 2 })
  const long = Array.from({ length: 6 }, () => send(9000))
  const short = [send(30), send(30)]
  const settled = Promise.allSettled([...long, ...short])

  expect(queue.state).toMatchObject({ running: 3, queued: 1 })
  expect(queue.state.queuedMs).toBe(30)
  void settled
})

test('a zone that sends much that is short does not keep others from the place for it', async () => {
  const { send, order } = setUp({ slots: 1 })
  void send(9000, { zone: 'flood' })
  for (let turn = 0; turn < 64; turn += 1) void send(90, { zone: 'flood' })
  const quiet = send(50, { zone: 'quiet' })
  const begun = await order()

  expect(await quiet).toHaveProperty('result')
  expect(begun.indexOf(65)).toBeLessThan(4)
})

test('64 long jobs of one zone refuse no short one of another', async () => {
  const { send, order } = setUp({ slots: 2 })
  for (let turn = 0; turn < 64; turn += 1) void send(4000, { zone: 'heavy' })
  const quiet = [send(20, { zone: 'quiet' }), send(20, { zone: 'quiet' })]
  await order()

  for (const each of quiet) expect(await each).toHaveProperty('result')
})

test('the wait in line is part of the time that a job has', async () => {
  const { send, order, wait, renderer } = setUp()
  void send(110)
  const waiting = send(150)
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
  wait(4000)
  await order()

  expect(await waiting).toHaveProperty('result')
  expect(renderer.allowed).toEqual([12_000, 8000])
})

test('who waits longer than there is time is sent away, whatever was predicted', async () => {
  const { send, wait, queue, order } = setUp()
  void send(110)
  const waiting = send(150)
  const background = send(150, { priority: 'background' })
  wait(11_849)
  expect(queue.state.queued).toBe(1)
  wait(1)

  expect(queue.state).toMatchObject({ queued: 0, queuedInBackground: 1 })
  await expect(waiting).rejects.toMatchObject({ code: 'Unavailable' })
  await order()
  expect(await background).toHaveProperty('result')
})

test('no prediction is longer than what a job may take', async () => {
  const { send, order, queue } = setUp()
  void send(400_000)
  await expect(send(150)).rejects.toMatchObject({ code: 'Unavailable' })
  void send(5, { job: { ...jobOn('/40'), source: { ...jobOn('/40').source, format: 'svg' } } })
  void send(400_000, {
    job: { ...jobOn('/41'), source: { ...jobOn('/41').source, format: 'svg' } },
  })
  expect(queue.state.queuedMs).toBe(1500)
  await order()
})

test('a drawing is looked at for what it is drawn at, not for the size it says it has', () => {
  const drawing = { ...header, format: 'svg', width: 12_000, height: 12_000 } as const

  expect(analyseCost(drawing).cpuMs).toBeLessThan(200)
})

test('a drawing does not wait behind photographs, nor they behind it', async () => {
  const { send, order, queue, renderer } = setUp()
  void send(110)
  void send(110)
  const drawing: TransformJob = {
    ...jobOn('/50'),
    source: { path: '/50', format: 'svg', size, isSrgb: true },
  }
  void send(10, { job: drawing })

  expect(queue.state).toMatchObject({ running: 2, queued: 1 })
  await order()
  const paths = renderer.begun.map((job) => 'source' in job && job.source.path)
  expect(paths.indexOf('/50')).toBe(1)
})

test('while nobody waits there is time for a better encoding, and while somebody does there is none', async () => {
  const { send, order, renderer } = setUp()
  const efforts = () => renderer.begun.map((job) => job.kind === 'transform' && job.output.effort)
  void send(10)
  await order()
  renderer.hold()
  for (let job = 0; job < 3; job += 1) void send(10)
  await order()
  // The first of the three left two behind it, the second one, the third was the last.
  expect(efforts()).toEqual(['usual', 'fast', 'fast', 'usual'])
})

test('predictions follow what jobs of the same kind took', async () => {
  const costs = createCostModel()
  const cost = { kind: 'png-avif', cpuMs: 100 }
  for (let turn = 0; turn < 30; turn += 1) costs.observe(cost, 300)

  expect(costs.predict(cost)).toBeGreaterThan(290)
  expect(costs.predict({ ...cost, cpuMs: 10 })).toBeGreaterThan(29)
  expect(costs.predict({ ...cost, kind: 'png-webp' })).toBe(100)
})

test('jobs that take longer than predicted make the next ones be turned away earlier', async () => {
  const { send, order, renderer } = setUp({ cpuMs: 1000 })
  const learning = Array.from({ length: 10 }, () => send(100))
  await order()
  await Promise.allSettled(learning)
  renderer.hold()
  const settled = Promise.allSettled(Array.from({ length: 10 }, () => send(100)))
  await order()

  expect((await settled).filter(({ status }) => status === 'fulfilled').length).toBeLessThan(5)
})

test('a failed job frees its slot', async () => {
  const { send, order } = setUp()
  const failing = send(1, { job: jobOn('/unknown') })
  void send(10)
  void order()

  expect(failing).rejects.toMatchObject({ name: 'RenderSourceError' })
  expect((await order()).length).toBe(2)
})
