import { expect, test } from 'bun:test'

import { authenticateWith, bearerAuthenticator } from '../../http/access/authorize.ts'
import { testApp } from '../../http/testing.ts'
import type { TrafficFlush } from '../../ports/traffic/traffic-store.ts'
import { reportOperations } from './reports.ts'

const now = new Date('2026-04-01T12:00:00.000Z')
const hour = Math.floor(now.getTime() / 3_600_000)

const flush = {
  process: 'edge-1',
  number: 1,
  hour,
  minute: 59,
  rows: [],
  audience: [
    {
      zone: 'acme',
      latencies: [[40, 3]],
      referrers: [{ name: 'shop.example', requests: 3, bytes: 30 }],
      agents: [{ name: 'curl', requests: 3, bytes: 30 }],
      ownRequests: 2,
    },
    { zone: '', latencies: [], referrers: [], agents: [] },
  ],
}

async function report(body: object) {
  const recorded: TrafficFlush[] = []
  const dependencies = {
    changes: { position: { commitId: undefined, seq: 0 } },
    acknowledge: () => {},
    recordTraffic: async (each: TrafficFlush) => void recorded.push(each),
    leaseQuota: async () => 0,
    now: () => now,
  }
  const grant = { id: 'token:1', scopes: new Set(['edges:sync']), zones: undefined }
  const app = testApp(
    reportOperations.map((each) => each.endpoint(dependencies as never)),
    { now: () => now, authenticate: authenticateWith([bearerAuthenticator(() => grant)]) },
  )
  const response = await app.fetch(
    new Request('http://sedge.test/api/edges/traffic', {
      method: 'POST',
      headers: { Authorization: 'Bearer x', 'Content-Type': 'application/json' },
      body: JSON.stringify(body),
    }),
    '192.0.2.1',
  )
  return { status: response.status, recorded }
}

test('who asked an edge, and what its dashboard requests were, is recorded as it was sent', async () => {
  const { status, recorded } = await report({ Flushes: [flush] })
  expect(status).toBe(200)
  expect(recorded).toEqual([{ ...flush, beacons: [] } as unknown as TrafficFlush])
})

test('an edge that tells less is heard, and one that tells nonsense is refused', async () => {
  const { minute: _minute, audience: _audience, ...less } = flush
  expect((await report({ Flushes: [less] })).recorded).toEqual([{ ...less, beacons: [] }])
  const [first] = flush.audience
  for (const wrong of [{ ownRequests: -1 }, { latencies: [[100_000, 1]] }, { zone: 'A zone' }]) {
    const said = await report({ Flushes: [{ ...flush, audience: [{ ...first, ...wrong }] }] })
    expect(said).toEqual({ status: 400, recorded: [] })
  }
})
