import type { QuotaLease } from '../../ports/edge-origin.ts'
import type { QuotaStore } from '../../ports/quota-store.ts'
import { quotaWindowName } from '../access/quota.ts'

interface Terms {
  readonly store: QuotaStore
  readonly limit: number
  readonly window: 'day' | 'month'
  readonly now: () => Date
}

/**
 * Takes what is owed, over the limit too since it is used already, then as many as are wanted, or one
 * where there are not so many left. Answers how many.
 */
export async function grantLease(
  { name, amount, owed }: QuotaLease,
  { store, limit, window, now }: Terms,
): Promise<number> {
  const request = { name, window: quotaWindowName(window, now()) }
  if (owed > 0) await store.take({ ...request, amount: owed, limit: Number.MAX_SAFE_INTEGER })
  for (const wanted of new Set([amount, 1]))
    if ((await store.take({ ...request, amount: wanted, limit })) !== undefined) return wanted
  return 0
}
