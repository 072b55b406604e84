import { expect, test } from 'bun:test'

import { Registry } from 'prom-client'

import { readGauge, readTotal } from './metrics.ts'

test('numbers are read anew each time, and those that are not known are left out', async () => {
  const metrics = new Registry()
  let known: number | undefined = 7
  readGauge(metrics, { name: 'memory_bytes', help: 'Memory.' }, () => known)
  readTotal(metrics, { name: 'seconds_total', help: 'Seconds.' }, () => known)
  readGauge(metrics, { name: 'broken', help: 'Broken.' }, () => {
    throw new Error('no')
  })
  const values = async () =>
    (await metrics.metrics()).split('\n').filter((line) => /^[^#]/u.test(line))

  expect(await values()).toEqual(['memory_bytes 7', 'seconds_total 7'])
  known = undefined
  expect(await values()).toEqual([])
  known = 8
  expect(await values()).toEqual(['memory_bytes 8', 'seconds_total 8'])
})

test('metrics of two services in one process are told apart', async () => {
  const [one, other] = [new Registry(), new Registry()]
  readGauge(one, { name: 'a', help: 'A.' }, () => 1)
  readGauge(other, { name: 'a', help: 'A.' }, () => 2)

  expect(await one.metrics()).toContain('\na 1\n')
  expect(await other.metrics()).toContain('\na 2\n')
})
