import type { Quota } from './quota.ts'

/** One bound, as it stands. */
export interface LimitState {
  /** e.g. `transforms`. */
  readonly name: string
  /** The setting that changes it. */
  readonly setting: string
  readonly zone: string | undefined
  /** `undefined` for what does not come back with time. */
  readonly window: 'day' | 'month' | undefined
  readonly limit: number
  /** What whoever has all zones may have beyond that; `undefined` where nothing holds them. */
  readonly reserved: number | undefined
  readonly used: number
  readonly resetsAt: Date | undefined
  readonly warnShare?: number
}

/** What is used, and what is left, of everything that is bounded for all, for a zone or for a network. */
export interface LimitBook {
  ofAll(): Promise<readonly LimitState[]>
  ofZone(zone: string): Promise<readonly LimitState[]>
  /** Of the network that an address is in. */
  ofNetwork(address: string): Promise<readonly LimitState[]>
}

interface NamedQuota {
  readonly name: string
  readonly setting: string
  readonly quota: Quota
}

/** So many of something may be there at a time. */
export interface NamedCount {
  readonly name: string
  readonly setting: string
  readonly limit: number
  readonly reserved: number | undefined
  readonly count: () => number | Promise<number>
  /** Left out where it does not come back with time. */
  readonly window?: 'month'
  readonly resetsAt?: Date
  /** From this share on it is told of; the usual where it is left out. */
  readonly warnShare?: number
}

export interface LimitSources {
  readonly quotas: readonly NamedQuota[]
  readonly counts: readonly NamedCount[]
}

export const createLimitBook = (
  all: LimitSources,
  ofZone: (zone: string) => LimitSources,
  ofNetwork: (address: string) => LimitSources,
): LimitBook => ({
  ofAll: () => statesOf(all, undefined),
  ofZone: (zone) => statesOf(ofZone(zone), zone),
  ofNetwork: (address) => statesOf(ofNetwork(address), undefined),
})

async function statesOf(
  { quotas, counts }: LimitSources,
  zone: string | undefined,
): Promise<readonly LimitState[]> {
  const running = quotas.map(async ({ name, setting, quota }) => {
    const { operatorLimit, ...state } = await quota.state()
    const reserved = boundedBy(operatorLimit - state.limit)
    return { name, setting, zone, reserved, ...state }
  })
  const standing = counts.map(async ({ count, ...described }) => ({
    window: undefined,
    resetsAt: undefined,
    ...described,
    zone,
    used: await count(),
  }))
  return await Promise.all([...running, ...standing])
}

/** More than anybody uses is no bound. */
const boundedBy = (reserved: number): number | undefined =>
  reserved > Number.MAX_SAFE_INTEGER / 2 ? undefined : reserved
