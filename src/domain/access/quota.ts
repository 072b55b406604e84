import type { QuotaStore } from '../../ports/quota-store.ts'
import { ServiceError } from '../errors.ts'

export interface QuotaUse {
  readonly limit: number
  readonly remaining: number
}

/** So much of something in a UTC day or month, for everyone together. */
export interface Quota {
  /** Takes one, or refuses with `limit_reached`. Of many at once no more than the limit get through. */
  take(): Promise<QuotaUse>
  /** Gives back what was taken for something that did not happen. */
  refund(): Promise<void>
  /** What is left, without taking any. */
  remaining(): Promise<number>
}

interface Options {
  readonly store: QuotaStore
  /** e.g. `purge`. */
  readonly name: string
  readonly limit: number
  readonly window: 'day' | 'month'
  readonly now: () => Date
}

export function createQuota({ store, name, limit, window, now }: Options): Quota {
  const windowName = () => quotaWindowName(window, now())
  return {
    async take() {
      const used = await store.take({ name, window: windowName(), amount: 1, limit })
      if (used === undefined) throw usedUp({ name, limit, ...boundsOf(window, now()) })
      return { limit, remaining: limit - used }
    },
    refund: () => store.refund({ name, window: windowName(), amount: 1 }),
    remaining: async () => Math.max(0, limit - (await store.used(name, windowName()))),
  }
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
      context: { limit: { name, quota: limit, windowSeconds, remaining: 0, resetSeconds } },
    },
  )

function boundsOf(window: 'day' | 'month', at: Date) {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()]
  const start = window === 'day' ? Date.UTC(year, month, day) : Date.UTC(year, month)
  const end = window === 'day' ? Date.UTC(year, month, day + 1) : Date.UTC(year, month + 1)
  return {
    windowSeconds: (end - start) / 1000,
    resetSeconds: Math.max(1, Math.ceil((end - at.getTime()) / 1000)),
  }
}
