import type { Registry } from 'prom-client'

import type { Quota, QuotaState } from '../../domain/access/quotas/quota.ts'
import { readGauge } from '../../lib/metrics.ts'
import type { Limits } from '../access/limits.ts'
import type { Measuring } from './metrics.ts'

/** How much of what all share is used. As it was when it was last asked for: that takes a database. */
export function measureLimits(measuring: Measuring | undefined, limits: Limits): void {
  if (measuring === undefined) return
  const { metrics } = measuring
  measureQuota(metrics, limits.transforms, {
    name: 'transforms',
    what: 'New variants of images this month',
  })
  measureQuota(metrics, limits.chats, { name: 'chats', what: 'Messages of the chat this month' })
  measureQuota(metrics, limits.purges, { name: 'purges', what: 'Purges today' })
}

function measureQuota(
  metrics: Registry,
  quota: Pick<Quota, 'state'>,
  { name, what }: { readonly name: string; readonly what: string },
): void {
  let last: QuotaState | undefined
  const refresh = async (): Promise<void> => {
    last = await quota.state().catch(() => last)
  }
  void refresh()
  const valueOf = (read: (state: QuotaState) => number) => () => {
    void refresh()
    return last && read(last)
  }
  readGauge(
    metrics,
    { name: `sedge_${name}_used`, help: `${what}.` },
    valueOf(({ used }) => used),
  )
  readGauge(
    metrics,
    { name: `sedge_${name}_limit`, help: `${what}: how many there may be.` },
    valueOf(({ limit, operatorLimit }) => Math.max(limit, operatorLimit)),
  )
}
