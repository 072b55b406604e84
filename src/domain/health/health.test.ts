import { expect, test } from 'bun:test'

import { createHealth, type Probe } from './health.ts'
import { watchHealth } from './watch-health.ts'

const well: Probe = { name: 'well', isDeep: false, run: async () => {} }
const deep: Probe = { name: 'deep', isDeep: true, run: async () => {} }
const ill: Probe = {
  name: 'ill',
  isDeep: false,
  run: async () => {
    throw new Error('out of order')
  },
}

function check(probes: readonly Probe[], isDeep = false) {
  const { health, warnings } = setUp(probes)
  return { report: health.check({ deep: isDeep }), warnings }
}

function setUp(probes: readonly Probe[]) {
  const warnings: string[] = []
  let at = 0
  const health = createHealth({
    probes,
    monotonicMs: () => at,
    log: { warn: (text) => void warnings.push(text) },
  })
  const wait = (ms: number) => {
    at += ms
  }
  return { health, warnings, wait }
}

/** A part that can be broken and mended, and counts how often it was asked. */
function fragile(options: Partial<Probe> = {}) {
  const part = { isBroken: false, asked: 0 }
  const probe: Probe = {
    name: 'fragile',
    isDeep: true,
    isVital: true,
    async run() {
      part.asked += 1
      if (part.isBroken) throw new Error('broken')
    },
    ...options,
  }
  return { part, probe }
}

test('all is well where every part is', async () => {
  expect(await check([well]).report).toEqual({
    healthy: true,
    checks: [{ name: 'well', healthy: true, latencyMs: 0 }],
  })
})

test('one part that does not work makes the whole unwell, and the log says why', async () => {
  const { report, warnings } = check([well, ill])

  expect(await report).toMatchObject({
    healthy: false,
    checks: [{ healthy: true }, { name: 'ill', healthy: false }],
  })
  expect(warnings).toHaveLength(1)
})

test('what costs something is asked only when somebody wants to know exactly', async () => {
  expect((await check([well, deep]).report).checks).toHaveLength(1)
  expect((await check([well, deep], true).report).checks).toHaveLength(2)
})

test('all who ask closely at the same time, or within seconds, share one look', async () => {
  const { part, probe } = fragile()
  const { health, wait } = setUp([probe])
  await Promise.all(Array.from({ length: 40 }, () => health.check({ deep: true })))
  wait(2_000)
  await health.check({ deep: true })
  expect(part.asked).toBe(1)

  wait(2_000)
  part.isBroken = true
  expect((await health.check({ deep: true })).healthy).toBe(false)
  expect(part.asked).toBe(2)
})

test('a cheap check does not say that all is well where a vital part was found not to work', async () => {
  const { part, probe } = fragile()
  const { health, wait } = setUp([well, probe])
  part.isBroken = true
  await health.check({ deep: true })
  const { asked } = part

  expect(await health.check({ deep: false })).toMatchObject({
    healthy: false,
    checks: [{ name: 'well' }, { name: 'fragile', healthy: false }],
  })
  expect(part.asked).toBe(asked)

  part.isBroken = false
  wait(4_000)
  await health.check({ deep: true })
  expect((await health.check({ deep: false })).healthy).toBe(true)
})

test('what the service can do without is told by a deep check alone', async () => {
  const { part, probe } = fragile({ isVital: false })
  const { health } = setUp([well, probe])
  part.isBroken = true

  expect((await health.check({ deep: true })).healthy).toBe(false)
  expect(await health.check({ deep: false })).toMatchObject({
    healthy: true,
    checks: [{ name: 'well' }],
  })
})

test('parts are looked at soon after the start and every minute, while nobody waits', async () => {
  const planned: { ms: number; work: () => void }[] = []
  const { part, probe } = fragile()
  const { health, wait } = setUp([probe])
  let isIdle = true
  const watch = watchHealth({
    health,
    isIdle: () => isIdle,
    after(ms, work) {
      planned.push({ ms, work })
      return { [Symbol.dispose]: () => planned.splice(0) }
    },
  })
  const next = async () => {
    const { ms = 0, work } = planned.shift() ?? {}
    wait(ms)
    work?.()
    for (let turn = 0; turn < 20; turn += 1) await Promise.resolve()
    return ms
  }

  expect([await next(), part.asked]).toEqual([1_000, 1])
  expect([await next(), part.asked]).toEqual([60_000, 2])
  isIdle = false
  expect([await next(), part.asked]).toEqual([60_000, 2])
  watch[Symbol.dispose]()
  expect(planned).toEqual([])
})
