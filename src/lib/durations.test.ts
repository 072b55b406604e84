import { expect, test } from 'bun:test'

import { Histogram, Registry } from 'prom-client'

import { openDurations } from './durations.ts'

test('durations are shown as the library would show them', async () => {
  const about = { name: 'request_seconds', help: 'Requests.' }
  const buckets = [0.001, 0.1, 1]
  const metrics = new Registry()
  const durations = openDurations({ ...about, metrics, label: 'plane', buckets })
  const peer = new Registry()
  const histogram = new Histogram({ ...about, labelNames: ['plane'], buckets, registers: [peer] })
  expect(await metrics.metrics()).toBe(await peer.metrics())
  for (const [plane, seconds] of [
    ['edge', 0.001],
    ['edge', 0.25],
    ['search "x"', 0.0002],
    ['edge', 3],
    ['edge', 0],
  ] as const) {
    durations.series(plane)(seconds)
    histogram.observe({ plane }, seconds)
  }

  expect(await metrics.metrics()).toBe(await peer.metrics())
  expect(await peer.getMetricsAsJSON()).toMatchObject(await metrics.getMetricsAsJSON())
})
