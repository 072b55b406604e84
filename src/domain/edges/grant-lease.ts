import type { QuotaLease } from '../../ports/edges/edge-origin.ts'
import type { QuotaStore } from '../../ports/access/quota-store.ts'
import { type OnQuotaUse, quotaWindowName } from '../access/quotas/quota.ts'

interface Terms {
  readonly store: QuotaStore
  readonly limitOf: (name: string) => number
  readonly onUse: OnQuotaUse
  readonly now: () => Date
}

/**
 * Takes what is owed, over the limit too since it is used already, then as many as are wanted, or one
 * where there are not so many left. Answers how many.
 */
export async function grantLease(
  { name, amount, owed }: QuotaLease,
  { store, limitOf, onUse, now }: Terms,
): Promise<number> {
  const limit = limitOf(name)
  const request = { name, window: quotaWindowName('month', now()) }
  if (owed > 0) await store.take({ ...request, amount: owed, limit: Number.MAX_SAFE_INTEGER })
  for (const wanted of new Set([amount, 1])) {
    const used = await store.take({ ...request, amount: wanted, limit })
    if (used === undefined) continue
    onUse({ name, used, amount: wanted + owed, limit })
    return wanted
  }
  return 0
}
