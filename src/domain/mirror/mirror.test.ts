import { expect, test } from 'bun:test'

import type { RemoteRepository, RemoteStanding } from '../../ports/content/remote-repository.ts'
import { nothingErased } from './fixtures/nothing-erased.ts'
import { startMirror } from './mirror.ts'

type Push = 'pushed' | 'moved' | Error

/** A mirror of a repository of numbered commits, on a clock that moves when it is told to. */
function openWorld({ takesUp = false, isEmpty = false } = {}) {
  const world = {
    head: isEmpty ? undefined : (1 as number | undefined),
    there: undefined as string | undefined,
    standing: undefined as RemoteStanding | undefined,
    pushes: [] as string[],
    looks: 0,
    answers: [] as Push[],
    warnings: [] as string[],
    isDisposed: false,
    lacks: undefined as string | undefined,
    nowMs: 0,
  }
  const timers = new Set<{ readonly at: number; readonly callBack: () => void }>()
  const remote: RemoteRepository = {
    async look() {
      world.looks += 1
      return world.standing ?? { kind: 'behind', id: world.there }
    },
    async push(commitId) {
      const answer = world.answers.shift() ?? 'pushed'
      if (answer instanceof Error) throw answer
      if (answer === 'pushed') {
        world.there = commitId
        world.pushes.push(`${commitId} at ${world.nowMs}`)
      }
      return answer
    },
    replaceFormer: async () => false,
    async *commits() {},
    get lacks() {
      return world.lacks
    },
    async [Symbol.asyncDispose]() {
      world.isDisposed = true
    },
  }
  const mirror = startMirror({
    ...nothingErased,
    content: { commit: async () => undefined },
    newest: async () => (world.head === undefined ? undefined : String(world.head)),
    remote,
    maxOutsideBytes: 50_000_000,
    takesUp,
    after(ms, callBack) {
      const timer = { at: world.nowMs + ms, callBack }
      timers.add(timer)
      return { [Symbol.dispose]: () => void timers.delete(timer) }
    },
    monotonicMs: () => world.nowMs,
    now: () => new Date(world.nowMs),
    random: () => 1,
    log: { info() {}, warn: (_, { reason }) => void world.warnings.push(String(reason)) },
    lastPushMs: 5_000,
  })
  return {
    world,
    mirror,
    commit: (count = 1): void => {
      world.head = (world.head ?? 0) + count
      mirror.noteCommits(count)
    },
    pass: async (ms: number): Promise<void> => {
      const end = world.nowMs + ms
      for (;;) {
        await settled()
        const next = [...timers].toSorted((a, b) => a.at - b.at)[0]
        if (next === undefined || next.at > end) break
        timers.delete(next)
        world.nowMs = Math.max(world.nowMs, next.at)
        next.callBack()
      }
      world.nowMs = end
    },
  }
}

/** Whatever does not wait for the clock has been done. */
async function settled(): Promise<void> {
  for (let turn = 0; turn < 50; turn += 1) await Promise.resolve()
}

test('the first round comes soon after the start, the next ones ten seconds apart', async () => {
  const { world, mirror, commit, pass } = openWorld()
  await pass(1_000)
  for (let second = 0; second < 30; second += 1) {
    commit(3)
    await pass(1_000)
  }

  expect(world.pushes).toEqual(['1 at 1000', '31 at 11000', '61 at 21000', '91 at 31000'])
  expect(world.looks).toBe(1)
  expect(mirror.state).toMatchObject({ condition: 'current', pendingCommits: 0 })
  await pass(3_600_000)
  expect(world.pushes).toHaveLength(4)
})

test('five hundred commits do not wait for the ten seconds', async () => {
  const { world, commit, pass } = openWorld()
  await pass(1_000)
  commit(499)
  await pass(500)
  expect(world.pushes).toHaveLength(1)
  commit()
  await pass(0)

  expect(world.pushes[1]).toBe('501 at 1500')
})

test('an empty repository is not pushed, and its first commit is', async () => {
  const { world, commit, pass } = openWorld({ isEmpty: true })
  await pass(60_000)
  expect(world.pushes).toEqual([])
  commit()
  await pass(0)

  expect(world.pushes).toEqual(['1 at 60000'])
})

test('what keeps failing is tried again later and later, said once, and heals', async () => {
  const { world, mirror, commit, pass } = openWorld()
  const down = new Error('the remote is down')
  world.answers = [down, down, down]
  await pass(1_000)
  commit(1_000)
  expect(mirror.state).toMatchObject({ condition: 'failing', error: 'the remote is down' })
  await pass(9_999)
  expect(mirror.state.failures).toBe(1)
  await pass(1)
  expect(mirror.state.failures).toBe(2)
  await pass(20_000)
  expect(mirror.state.failures).toBe(3)
  await pass(40_000)

  expect(world.pushes).toEqual(['1001 at 71000'])
  expect(world.warnings).toEqual(['the remote is down'])
  expect(mirror.state).toMatchObject({ condition: 'current', failures: 0, error: undefined })
})

test('a remote that others have moved is looked at, and refused where nobody may take that up', async () => {
  const { world, mirror, commit, pass } = openWorld()
  await pass(1_000)
  world.answers = ['moved']
  world.standing = { kind: 'ahead', id: 'f', ours: '2', commonId: '1', commitCount: 2 }
  commit()
  await pass(10_000)

  expect(world.looks).toBe(2)
  expect(world.pushes).toHaveLength(1)
  expect(mirror.state).toMatchObject({ condition: 'refused', pendingCommits: 1 })
  expect(mirror.state.error).toStartWith('The remote has 2 commits that are not here, up to f')

  world.standing = undefined
  await pass(600_000)
  expect(world.pushes).toHaveLength(2)
  expect(mirror.state.condition).toBe('current')
})

test('who takes commits up looks for them even where nothing is written', async () => {
  const { world, pass } = openWorld({ takesUp: true })
  await pass(121_000)

  expect(world.looks).toBe(5)
  expect(world.pushes).toHaveLength(1)
})

for (const kind of ['rewritten', 'unrelated'] as const)
  test(`a remote that is ${kind} is never pushed to`, async () => {
    const { world, mirror, pass } = openWorld({ takesUp: true })
    world.standing = { kind, id: 'f' }
    await pass(60_000)

    expect(world.pushes).toEqual([])
    expect(mirror.state.condition).toBe('refused')
  })

test('told to end, it pushes what is pending once more', async () => {
  const { world, mirror, commit, pass } = openWorld()
  await pass(1_000)
  commit()
  await mirror[Symbol.asyncDispose]()

  expect(world.pushes).toEqual(['1 at 1000', '2 at 1000'])
  expect(world.isDisposed).toBe(true)
})

test('told to end before the first round, it has that one', async () => {
  const { world, mirror, commit } = openWorld()
  commit()
  await mirror[Symbol.asyncDispose]()

  expect(world.pushes).toEqual(['2 at 0'])
})

test('told to end while the remote is down, it does not try once more', async () => {
  const { world, mirror, pass } = openWorld()
  world.answers = [new Error('down')]
  await pass(1_000)
  await mirror[Symbol.asyncDispose]()

  expect(world.pushes).toEqual([])
  expect(world.isDisposed).toBe(true)
})

test('a mirror that lacks bytes of large files goes on, and says so once until it has them', async () => {
  const { world, mirror, commit, pass } = openWorld()
  const lacks = '1 large files, the first because the LFS API of the remote answers 404'
  world.lacks = lacks
  await pass(1_000)
  commit()
  await pass(20_000)
  expect(mirror.state).toMatchObject({ condition: 'current', lacks })
  expect(world.pushes).toHaveLength(2)
  expect(world.warnings).toEqual([lacks])

  world.lacks = undefined
  commit()
  await pass(20_000)
  expect(mirror.state.lacks).toBeUndefined()
})
