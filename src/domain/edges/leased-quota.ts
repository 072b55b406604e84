import type { EdgeOrigin } from '../../ports/edges/edge-origin.ts'
import type { QuotaRequest, QuotaStore, TakenQuotas } from '../../ports/access/quota-store.ts'
import { Mutex } from '../../lib/async/mutex.ts'

const leasedAtOnce = 20

/**
 * A quota that many edges share: the origin grants a few at a time, which are used up here. While it
 * cannot be reached nothing is refused; what was used meanwhile is told when it is back.
 */
export function createLeasedQuota(origin: Pick<EdgeOrigin, 'leaseQuota'>): QuotaStore {
  const grants = new Map<string, { window: string; left: number; used: number }>()
  const owedByName = new Map<string, number>()
  const turns = new Mutex()

  /** `undefined` where nobody can be asked. */
  async function lease(name: string): Promise<number | undefined> {
    const owed = owedByName.get(name) ?? 0
    try {
      const granted = await origin.leaseQuota({ name, amount: leasedAtOnce, owed })
      owedByName.set(name, (owedByName.get(name) ?? 0) - owed)
      return granted
    } catch {
      return undefined
    }
  }

  async function take({ name, window, amount, limit }: QuotaRequest): Promise<number | undefined> {
    using _turn = await turns.acquire()
    const known = grants.get(name)
    const grant = known?.window === window ? known : { window, left: 0, used: 0 }
    grants.set(name, grant)
    if (grant.left < amount) {
      const granted = await lease(name)
      if (granted === undefined) {
        owedByName.set(name, (owedByName.get(name) ?? 0) + amount)
        grant.left += amount
      } else grant.left += granted
    }
    if (grant.left < amount) return undefined
    grant.left -= amount
    grant.used += amount
    return Math.min(grant.used, limit)
  }

  async function refund({ name, window, amount }: Omit<QuotaRequest, 'limit'>): Promise<void> {
    const grant = grants.get(name)
    if (grant?.window !== window) return
    grant.left += amount
    grant.used = Math.max(0, grant.used - amount)
  }

  async function takeAll(requests: readonly QuotaRequest[]): Promise<TakenQuotas> {
    const used: number[] = []
    for (const request of requests) {
      const use = await take(request)
      if (use === undefined) {
        for (const taken of requests.slice(0, used.length)) await refund(taken)
        return { kind: 'refused', place: used.length }
      }
      used.push(use)
    }
    return { kind: 'granted', used }
  }

  return {
    take,
    takeAll,
    refund,
    used: async (name, window) => {
      const grant = grants.get(name)
      return grant?.window === window ? grant.used : 0
    },
  }
}
