import { expect, test } from 'bun:test'

import { createSampler, samplerNames } from './sampler.ts'

const traceId = (random: string): string => `${'0'.repeat(18)}${random}`
const parent = (isSampled: boolean) => ({ traceId: traceId('f'), parentId: '1', isSampled })

test('a ratio keeps the traces whose random digits are the highest', () => {
  const quarter = createSampler({ name: 'traceidratio', ratio: 0.25 })
  expect(quarter(traceId('bfffffffffffff'), undefined)).toBe(false)
  expect(quarter(traceId('c0000000000000'), undefined)).toBe(true)
  expect(
    createSampler({ name: 'traceidratio', ratio: 0 })(traceId('ffffffffffffff'), undefined),
  ).toBe(false)
  expect(
    createSampler({ name: 'traceidratio', ratio: 1 })(traceId('00000000000000'), undefined),
  ).toBe(true)
})

for (const name of samplerNames)
  test(`${name} ${name.startsWith('parentbased') ? 'does' : 'does not'} ask the parent`, () => {
    const samples = createSampler({ name, ratio: 0.5 })
    const [kept, left] = [true, false].map((isSampled) =>
      samples(traceId('f0000000000000'), parent(isSampled)),
    )
    if (name.startsWith('parentbased')) expect([kept, left]).toEqual([true, false])
    else expect(kept).toBe(left as boolean)
  })
