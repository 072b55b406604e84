import { expect, test } from 'bun:test'

import { createHealth, type Probe } from './health.ts'

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
  const warnings: string[] = []
  const health = createHealth({ probes, monotonicMs: () => 0, warn: (text) => warnings.push(text) })
  return { report: health.check({ deep: isDeep }), warnings }
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
