import { expect, test } from 'bun:test'

import { counting, setUpCache, statusOf } from './testing.ts'

const lasting = { 'cache-control': 'max-age=3600' }

test('random addresses never take more than the room there is', async () => {
  const maxBytes = 2 ** 18
  await using edge = setUpCache({ origin: counting(lasting), maxBytes })
  for (let index = 0; index < 1000; index += 1) await (await edge.get(`/random/${index}`)).text()

  expect(edge.store.sizeBytes).toBeLessThanOrEqual(maxBytes)
  expect(edge.store.count).toBeGreaterThan(30)
})

test('one pass over many addresses does not flush those in use', async () => {
  await using edge = setUpCache({ origin: counting(lasting), maxBytes: 2 ** 18 })
  const hot = Array.from({ length: 20 }, (_, index) => `/hot/${index}`)
  for (let round = 0; round < 3; round += 1)
    for (const path of hot) await (await edge.get(path)).text()
  for (let index = 0; index < 1000; index += 1) await (await edge.get(`/scan/${index}`)).text()
  const asked = edge.asked.length
  for (const path of hot) await (await edge.get(path)).text()

  expect(edge.asked.length).toBe(asked)
})

test('variants of one address are bounded', async () => {
  await using edge = setUpCache({ origin: counting({ ...lasting, vary: 'x' }) })
  for (let index = 0; index < 200; index += 1)
    await (await edge.get('/a', { x: `${index}` })).text()

  expect(edge.store.peek('https://cache.test/a')).toHaveLength(32)
})

test('an answer of many tags is passed on and not stored', async () => {
  const tags = Array.from({ length: 300 }, (_, index) => `t${index}`).join(' ')
  await using edge = setUpCache({ origin: counting({ ...lasting, 'surrogate-key': tags }) })
  await (await edge.get('/a')).text()

  expect(await (await edge.get('/a')).text()).toBe('body 2')
})

for (const declared of [true, false])
  test(`a body too large to keep streams through, ${declared ? 'declared' : 'or not'}`, async () => {
    const length = declared ? { 'content-length': '6553600' } : {}
    await using edge = setUpCache({
      origin: () => new Response(hundredChunks(), { headers: { ...lasting, ...length } }),
      maxBytes: 2 ** 20,
    })
    const answers = await Promise.all(Array.from({ length: 3 }, () => edge.get('/large')))
    const sizes = await Promise.all(answers.map(async (answer) => (await answer.bytes()).length))

    expect(sizes).toEqual([6_553_600, 6_553_600, 6_553_600])
    expect(edge.store.count).toBe(0)
  })

test('bodies on their way in are bounded together; beyond that they are passed on', async () => {
  const headers = { ...lasting, 'content-length': '100000' }
  const origin = () => new Response(new Uint8Array(100_000), { headers })
  await using edge = setUpCache({ origin, maxFillBytes: 50_000 })
  expect((await (await edge.get('/a')).bytes()).length).toBe(100_000)
  await (await edge.get('/a')).bytes()

  expect(edge.asked).toHaveLength(2)
})

test('a client that leaves does not spoil the filling, and one that stalls does not hold it up', async () => {
  const bytes = new Uint8Array(300_000).fill(1)
  await using edge = setUpCache({ origin: () => new Response(bytes, { headers: lasting }) })
  const stalled = await edge.get('/a')
  const left = await edge.get('/a')
  await left.body?.cancel()
  while (edge.store.count === 0) await Bun.sleep(0)

  expect(statusOf(await edge.get('/a'))).toContain('hit')
  expect((await stalled.bytes()).length).toBe(bytes.length)
})

for (const declared of [true, false])
  test(`a body that breaks off is neither stored nor ended properly, ${declared ? 'declared' : 'or not'}`, async () => {
    const length = declared ? { 'content-length': '140000' } : {}
    await using edge = setUpCache({
      origin: () => new Response(breakingOff(), { headers: { ...lasting, ...length } }),
    })
    const answer = await edge.get('/a')

    expect(answer.bytes()).rejects.toThrow('broken off')
    while (edge.asked.length < 2) await (await edge.get('/a')).bytes().catch(() => {})
    expect(edge.store.count).toBe(0)
  })

function breakingOff(): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async pull(controller) {
      controller.enqueue(new Uint8Array(70_000))
      await Bun.sleep(0)
      controller.error(new Error('broken off'))
    },
  })
}

/** 6,553,600 bytes, as fast as they are read. */
function hundredChunks(): ReadableStream<Uint8Array> {
  let left = 100
  return new ReadableStream({
    pull(controller) {
      if (left === 0) return controller.close()
      left -= 1
      controller.enqueue(new Uint8Array(65_536))
    },
  })
}
