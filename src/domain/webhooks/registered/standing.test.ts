import { expect, test } from 'bun:test'

import type { RecentDelivery } from '../../../ports/webhooks/webhook-outbox.ts'
import { webhookOf } from '../../../ports/webhooks/webhook-store.contract.ts'
import { standingsOf } from './standing.ts'

const triedAt = (second: number, status: number | undefined): RecentDelivery => ({
  webhookId: 'a',
  id: `msg_${second}`,
  event: 'asset.created',
  state: status === 204 ? 'delivered' : 'pending',
  at: new Date(second * 1_000),
  durationMs: 5,
  status,
  error: status === undefined ? 'no answer' : undefined,
})

test('the last delivery is the one tried last, and what did not end in 2xx has failed', () => {
  const recent = [triedAt(3, 204), triedAt(9, 500), triedAt(5, undefined), triedAt(1, 302)]
  const [own, other] = standingsOf([webhookOf('a'), webhookOf('b')], recent)

  expect(own).toMatchObject({ tried: 4, failed: 3, lastDelivery: { id: 'msg_9' } })
  expect(other).toMatchObject({ tried: 0, failed: 0, lastDelivery: undefined, state: 'unused' })
})

test.each([
  [{}, 'healthy'],
  [{ failingSince: new Date(0) }, 'failing'],
  [{ active: false }, 'paused'],
  [{ active: false, switchedOff: 'gone' as const, failingSince: new Date(0) }, 'paused'],
])('a webhook with %p is %s', (given, state) => {
  expect(standingsOf([webhookOf('a', given)], [triedAt(1, 204)])[0]?.state).toBe(state as 'healthy')
})
