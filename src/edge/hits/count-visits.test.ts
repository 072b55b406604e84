import { expect, test } from 'bun:test'

import { bucketOf } from '../../lib/collections/duration-histogram.ts'
import { createVisitCounter } from './count-visits.ts'
import { createHitTap } from './hit-tap.ts'

const about = { zone: 'acme', path: 'acme/v1/a.svg' }
const outcome = { status: 200, cache: 'HIT', bodyBytes: 10 } as const

function setUp() {
  const tap = createHitTap()
  const told: ((bytes: number) => void)[] = []
  const counter = createVisitCounter({
    tap,
    countryOf: () => 'DE',
    isOwn: ({ headers }) => headers.has('cookie'),
    monotonicMs: () => 1_008,
    transfers: {
      follow: (_request, _size, count) => {
        told.push(count)
        return true
      },
    },
  })
  const visitWith = (headers: Readonly<Record<string, string>> = {}) => ({
    clientAddress: undefined,
    startMs: 1_000,
    request: new Request('https://cdn.example/acme/v1/a.svg', { headers }),
  })
  return { tap, counter, visitWith, told }
}

test('every way to count notes who asked and how long that took', () => {
  const { tap, counter, visitWith, told } = setUp()
  const visit = visitWith({ Referer: 'https://shop.example/a' })
  counter.count(visit, about, outcome)
  counter.countAsset({ visit, about, outcome })
  counter.countLarge({ visit, about, outcome })
  for (const count of told) count(7)
  expect(tap.drain().reduce((sum, { requests }) => sum + requests, 0)).toBe(3)
  expect(tap.audience.take()).toEqual([
    {
      zone: 'acme',
      latencies: [[bucketOf(8), 3]],
      referrers: [{ name: 'shop.example', requests: 3, bytes: 27 }],
      agents: [{ name: '(none)', requests: 3, bytes: 27 }],
    },
  ])
})

test('what the service’s own pages ask for is counted apart and nowhere else', () => {
  const { tap, counter, visitWith } = setUp()
  const visit = visitWith({ Cookie: 'session' })
  counter.count(visit, about, outcome)
  counter.countAsset({ visit, about, outcome })
  counter.countLarge({ visit, about, outcome })
  expect(tap.drain()).toEqual([])
  const nothing = { latencies: [], referrers: [], agents: [] }
  const own = [{ zone: 'acme', ...nothing, ownRequests: 3 }]
  expect(tap.audience.take()).toEqual(own)
  tap.audience.add(own)
  tap.audience.add(own)
  expect(tap.audience.take()).toEqual([{ zone: 'acme', ...nothing, ownRequests: 6 }])
  expect(tap.audience.take()).toEqual([])
})
