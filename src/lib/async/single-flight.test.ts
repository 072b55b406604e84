import { expect, test } from 'bun:test'

import { createSingleFlight, makeOnce } from './single-flight.ts'

function setUp() {
  const flights = createSingleFlight<string>()
  const starts: {
    readonly signal: AbortSignal
    readonly land: (value: string) => void
    readonly fail: (error: Error) => void
  }[] = []
  return {
    flights,
    starts,
    run: (key: string, signal?: AbortSignal) =>
      flights.run(key, signal, (flight) => {
        const { promise, resolve, reject } = Promise.withResolvers<string>()
        starts.push({ signal: flight, land: resolve, fail: reject })
        flight.addEventListener('abort', () => reject(flight.reason as Error))
        return promise
      }),
  }
}

test('all who ask at once share one piece of work', async () => {
  const { run, starts, flights } = setUp()
  const answers = Promise.all([run('a'), run('a'), run('b')])
  expect(starts.length).toBe(2)
  for (const [index, { land }] of starts.entries()) land(`value ${index}`)

  expect(await answers).toEqual([
    { value: 'value 0', isShared: false },
    { value: 'value 0', isShared: true },
    { value: 'value 1', isShared: false },
  ])
  expect(flights.count).toBe(0)
})

test('who asks after it has ended starts it again', async () => {
  const { run, starts } = setUp()
  const first = run('a')
  starts[0]?.land('x')
  await first
  const second = run('a')
  starts[1]?.land('y')

  expect((await second).value).toBe('y')
})

test('who leaves is told at once; the work goes on for the others', async () => {
  const { run, starts } = setUp()
  const leaving = new AbortController()
  const gone = run('a', leaving.signal)
  const staying = run('a')
  leaving.abort(new Error('left'))

  expect(gone).rejects.toThrow('left')
  expect(starts[0]?.signal.aborted).toBe(false)
  starts[0]?.land('x')
  expect((await staying).value).toBe('x')
})

test('the work is told to stop when the last one has left, and nobody joins it then', async () => {
  const { run, starts } = setUp()
  const controllers = [new AbortController(), new AbortController()]
  const answers = controllers.map(({ signal }) => run('a', signal))
  for (const controller of controllers) controller.abort(new Error('left'))
  for (const answer of answers) await answer.catch(() => {})

  expect(starts[0]?.signal.aborted).toBe(true)
  const next = run('a')
  expect(starts.length).toBe(2)
  starts[1]?.land('again')
  expect((await next).value).toBe('again')
})

test('a failure reaches all who wait, and the next one tries again', async () => {
  const { run, starts } = setUp()
  const answers = [run('a'), run('a')]
  starts[0]?.fail(new Error('no'))
  expect((await Promise.allSettled(answers)).map(({ status }) => status)).toEqual([
    'rejected',
    'rejected',
  ])
  const next = run('a')
  starts[1]?.land('x')

  expect((await next).value).toBe('x')
})

test('who has left already starts nothing', () => {
  const { run, starts } = setUp()

  expect(run('a', AbortSignal.abort(new Error('left')))).rejects.toThrow('left')
  expect(starts.length).toBe(0)
})

test('who waits to the end shares the work, and gets its value alone', async () => {
  const flights = createSingleFlight<number>()
  let starts = 0
  const work = async () => (starts += 1)
  const answers = [flights.share('a', work), flights.share('a', work)]

  expect([flights.has('a'), flights.has('b'), flights.count]).toEqual([true, false, 1])
  expect(await Promise.all(answers)).toEqual([1, 1])
  expect(flights.has('a')).toBe(false)
  expect(await flights.share('a', work)).toBe(2)
})

test('work that fails fails for all who share it, and is started again', async () => {
  const flights = createSingleFlight<number>()
  const fails = () => Promise.reject(new Error('broken'))
  const results = await Promise.allSettled([flights.share('a', fails), flights.share('a', fails)])

  expect(results.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
  expect(await flights.share('a', async () => 7)).toBe(7)
})

test('each name is made once, for all who ask', async () => {
  const made: string[] = []
  const find = makeOnce(async (name) => (made.push(name), name.toUpperCase()))

  expect(await Promise.all(['a', 'b', 'a'].map(find))).toEqual(['A', 'B', 'A'])
  expect(await find('a')).toBe('A')
  expect(made).toEqual(['a', 'b'])
})

test('what failed is made again', async () => {
  let tries = 0
  const find = makeOnce(async () => {
    tries += 1
    if (tries === 1) throw new Error('no room on the disk')
    return tries
  })

  expect(await find('a').catch((error: Error) => error.message)).toBe('no room on the disk')
  expect(await find('a')).toBe(2)
  expect(await find('a')).toBe(2)
})
