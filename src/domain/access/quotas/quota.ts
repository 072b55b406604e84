import type { QuotaRequest, QuotaStore } from '../../../ports/access/quota-store.ts'
import { ServiceError } from '../../errors.ts'

export interface QuotaUse {
  readonly limit: number
  readonly remaining: number
}

/** Who uses some of a quota. */
export interface QuotaUser {
  /** Whoever has all zones goes on where everybody else has used the quota up. */
  readonly isOperator: boolean
}

export interface QuotaState {
  readonly limit: number
  readonly operatorLimit: number
  readonly used: number
  readonly window: 'day' | 'month'
  readonly resetsAt: Date
}

/** So much of something in a UTC day or month. */
export interface Quota {
  /** Where it is counted; {@link takeAll} takes of several of one store at once. */
  readonly store: QuotaStore
  /** What taking one asks of the store. */
  requestFor(user: QuotaUser): QuotaRequest
  /** What the store's answer comes to. Throws `limit_reached` where it is none. */
  settle(used: number | undefined, user: QuotaUser): QuotaUse
  /** Takes one, or refuses with `limit_reached`. Of many at once no more than the limit get through. */
  take(user?: QuotaUser): Promise<QuotaUse>
  /** Gives back what was taken for something that did not happen. */
  refund(): Promise<void>
  /** What is left, without taking any. */
  remaining(user?: QuotaUser): Promise<number>
  state(): Promise<QuotaState>
}

interface Options {
  readonly store: QuotaStore
  /** e.g. `purge`. */
  readonly name: string
  readonly limit: number
  /** How much it is for the operator, who is never held to less than others; the same where left out. */
  readonly operatorLimit?: number
  readonly window: 'day' | 'month'
  readonly now: () => Date
  /** Told each time, after the use. */
  readonly onUse?: OnQuotaUse
}

/** What is used now, `amount` of it since the last time. */
export type OnQuotaUse = (use: {
  readonly name: string
  readonly used: number
  readonly amount: number
  readonly limit: number
}) => void

const anybody: QuotaUser = { isOperator: false }

export function createQuota(options: Options): Quota {
  const { store, name, limit, operatorLimit = limit, window, now, onUse } = options
  const windowName = () => quotaWindowName(window, now())
  const limitOf = ({ isOperator }: QuotaUser) => (isOperator ? operatorLimit : limit)
  const requestFor = (user: QuotaUser) => ({
    name,
    window: windowName(),
    amount: 1,
    limit: limitOf(user),
  })
  const settle = (used: number | undefined, user: QuotaUser): QuotaUse => {
    const max = limitOf(user)
    if (used === undefined) throw usedUp({ name, limit: max, ...boundsOf(window, now()) })
    onUse?.({ name, used, amount: 1, limit })
    return { limit: max, remaining: max - used }
  }
  return {
    store,
    requestFor,
    settle,
    take: async (user = anybody) => settle(await store.take(requestFor(user)), user),
    refund: () => store.refund({ name, window: windowName(), amount: 1 }),
    remaining: async (user = anybody) =>
      Math.max(0, limitOf(user) - (await store.used(name, windowName()))),
    async state() {
      const at = now()
      const used = await store.used(name, quotaWindowName(window, at))
      return { limit, operatorLimit, used, window, resetsAt: new Date(endOf(window, at)) }
    },
  }
}

/** One of each, or none of any. Answers the use of the one of which least is left. */
export async function takeAll(
  quotas: readonly [Quota, ...Quota[]],
  user: QuotaUser,
): Promise<QuotaUse> {
  const [{ store }] = quotas
  const taken = await store.takeAll(quotas.map((quota) => quota.requestFor(user)))
  if (taken.kind === 'refused') quotas[taken.place]?.settle(undefined, user)
  const used = taken.kind === 'granted' ? taken.used : []
  const uses = quotas.map((quota, place) => quota.settle(used[place], user))
  return uses.reduce((least, use) => (use.remaining < least.remaining ? use : least))
}

export async function refundAll(quotas: readonly Quota[]): Promise<void> {
  for (const quota of quotas) await quota.refund()
}

/** The UTC day or month, e.g. `2026-11-20` or `2026-11`. */
export const quotaWindowName = (window: 'day' | 'month', at: Date): string =>
  at.toISOString().slice(0, window === 'day' ? 10 : 7)

interface UsedUp {
  readonly name: string
  readonly limit: number
  readonly windowSeconds: number
  readonly resetSeconds: number
}

const usedUp = ({ name, limit, windowSeconds, resetSeconds }: UsedUp) =>
  new ServiceError(
    'limit_reached',
    `The limit of ${limit} is used up; it is whole again in ${resetSeconds} seconds`,
    {
      context: {
        limit: {
          name: name.replaceAll(/[^\w.-]/gu, '.'),
          quota: limit,
          windowSeconds,
          remaining: 0,
          resetSeconds,
        },
      },
    },
  )

function endOf(window: 'day' | 'month', at: Date): number {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  return window === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1)
}

function boundsOf(window: 'day' | 'month', at: Date) {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const start = window === 'day' ? Date.UTC(year, month, day) : Date.UTC(year, month)
  const end = endOf(window, at)
  return {
    windowSeconds: (end - start) / 1000,
    resetSeconds: Math.max(1, Math.ceil((end - at.getTime()) / 1000)),
  }
}
