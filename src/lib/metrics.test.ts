import { expect, test } from 'bun:test'

import { createMetrics } from './metrics.ts'

test('metrics are rendered as Prometheus reads them', () => {
  const metrics = createMetrics()
  const requests = metrics.counter({ name: 'requests_total', help: 'Requests.' })
  requests.add(2, { plane: 'edge' })
  requests.add(3, { plane: 'edge' })
  requests.add(1, { plane: 'a"b\\c\nd' })
  metrics.gauge({ name: 'memory_bytes', help: 'Memory.' }, () => 7)
  metrics.total({ name: 'seconds_total', help: 'Seconds.' }, () => 8)
  metrics.gauge({ name: 'broken', help: 'Broken.' }, () => {
    throw new Error('no')
  })

  expect(metrics.render()).toBe(
    [
      '# HELP requests_total Requests.',
      '# TYPE requests_total counter',
      'requests_total{plane="edge"} 5',
      'requests_total{plane="a\\"b\\\\c\\nd"} 1',
      '# HELP memory_bytes Memory.',
      '# TYPE memory_bytes gauge',
      'memory_bytes 7',
      '# HELP seconds_total Seconds.',
      '# TYPE seconds_total counter',
      'seconds_total 8',
      '# HELP broken Broken.',
      '# TYPE broken gauge',
      '',
    ].join('\n'),
  )
})

test('the buckets of a histogram include those below, and its sum and count are of all', () => {
  const metrics = createMetrics()
  const seconds = metrics.histogram({ name: 's', help: 'S.', buckets: [0.1, 1] })
  for (const value of [0.05, 0.1, 0.5, 3]) seconds.observe(value, { plane: 'core' })

  expect(metrics.render().split('\n').slice(2)).toEqual([
    's_bucket{plane="core",le="0.1"} 2',
    's_bucket{plane="core",le="1"} 3',
    's_bucket{plane="core",le="+Inf"} 4',
    's_sum{plane="core"} 3.65',
    's_count{plane="core"} 4',
    '',
  ])
})
