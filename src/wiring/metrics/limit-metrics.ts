import type { Quota, QuotaState } from '../../domain/access/quotas/quota.ts'
import type { Limits } from '../access/limits.ts'
import type { Measuring } from './measuring.ts'

/** How much of what all share is used. As it was when it was last asked for: that takes a database. */
export function measureLimits(measuring: Measuring | undefined, limits: Limits): void {
  if (measuring === undefined) return
  measureQuota(measuring, limits.transforms, {
    name: 'transforms',
    what: 'New variants of images this month',
  })
  measureQuota(measuring, limits.chats, { name: 'chats', what: 'Messages of the chat this month' })
  measureQuota(measuring, limits.purges, { name: 'purges', what: 'Purges today' })
}

function measureQuota(
  { gauge }: Measuring,
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
  gauge(
    { name: `sedge_${name}_used`, help: `${what}.` },
    valueOf(({ used }) => used),
  )
  gauge(
    { name: `sedge_${name}_limit`, help: `${what}: how many there may be.` },
    valueOf(({ limit, operatorLimit }) => Math.max(limit, operatorLimit)),
  )
}
