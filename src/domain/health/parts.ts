import type { NotificationKind, NotificationRecord } from '../../ports/records/notification.ts'
import type { CheckResult, Health } from './health.ts'

/** Parts of the service, as an operator knows them. */
export const partNames = [
  'publishing',
  'database',
  'disk',
  'renderer',
  'search',
  'models',
  'delivery',
  'edges',
  'certificates',
  'dns',
  'webhooks',
  'mail',
  'mirror',
  'backups',
  'limits',
  'cluster',
  'time',
] as const
export type PartName = (typeof partNames)[number]

/** `off`: it is not set up. */
export const partStates = ['healthy', 'degraded', 'failing', 'off'] as const
export type PartState = (typeof partStates)[number]

/** Something that is known of a part. */
export interface Fact {
  readonly name: string
  readonly value: number | string | Date
  readonly unit?: 'bytes' | 'milliseconds'
}

/** What a part says of itself. */
export interface OwnWord {
  readonly isOff?: boolean
  /** What is wrong although it works. */
  readonly problem?: string
  readonly facts?: readonly Fact[]
}

export interface Part {
  readonly name: PartName
  /** The names of its probes. */
  readonly checks?: readonly string[]
  /** Notifications that are about it. */
  readonly kinds?: readonly NotificationKind[]
  readonly look?: () => Promise<OwnWord> | OwnWord
}

export interface PartReport {
  readonly name: PartName
  readonly state: PartState
  /** Since when it is known to be so. */
  readonly since: Date
  readonly checkedAt: Date
  /** How long its probes took; `undefined` where there are none. */
  readonly latencyMs: number | undefined
  /** What is wrong, a sentence each. */
  readonly details: readonly string[]
  readonly facts: readonly Fact[]
}

interface Dependencies {
  readonly parts: readonly Part[]
  readonly health: Pick<Health, 'recent'>
  /** Notifications that last. */
  readonly open: () => Promise<readonly NotificationRecord[]>
  readonly now: () => Date
  /** When the service began: what a part is when it is first looked at, it has been since. */
  readonly startedAt: Date
}

/** Whoever looks again within this sees the same. */
const sharedForMs = 10_000

/** How each part is, put together of its probes, of what it says itself, and of what notifications say of it. */
export function createPartReports({ parts, health, open, now, startedAt }: Dependencies) {
  const stateByName = new Map<PartName, { readonly state: PartState; readonly since: Date }>()

  function sinceOf(name: PartName, state: PartState, began: Date | undefined): Date {
    const known = stateByName.get(name)
    const since = known === undefined ? startedAt : known.state === state ? known.since : now()
    const earliest = began !== undefined && began < since ? began : since
    stateByName.set(name, { state, since: earliest })
    return earliest
  }

  return async (): Promise<readonly PartReport[]> => {
    const [{ checks, ageMs }, notifications] = await Promise.all([
      health.recent(sharedForMs),
      open(),
    ])
    const checkedAt = new Date(now().getTime() - ageMs)
    return await Promise.all(
      parts.map(async (part) => {
        const own = await ownWordOf(part)
        const mine = checks.filter(({ name }) => part.checks?.includes(name) === true)
        const about = notifications.filter((each) => isAbout(each, part))
        const state = stateOf(own, mine, about)
        const began = about.map(({ beganAt }) => beganAt).toSorted((a, b) => +a - +b)[0]
        return {
          name: part.name,
          state,
          since: sinceOf(part.name, state, began),
          checkedAt,
          latencyMs: latencyOf(mine),
          details: detailsOf(own, mine, about),
          facts: own.facts ?? [],
        }
      }),
    )
  }
}

async function ownWordOf({ look }: Part): Promise<OwnWord> {
  try {
    return (await look?.()) ?? {}
  } catch (error) {
    return { problem: error instanceof Error ? error.message : String(error) }
  }
}

/** A probe that fails has a notification under its own name. */
const isAbout = ({ kind, about }: NotificationRecord, { kinds, checks }: Part): boolean =>
  kind === 'service' ? checks?.includes(about) === true : kinds?.includes(kind) === true

function stateOf(
  own: OwnWord,
  checks: readonly CheckResult[],
  about: readonly NotificationRecord[],
): PartState {
  const isFailing =
    checks.some(({ healthy }) => !healthy) || about.some(({ severity }) => severity === 'critical')
  if (isFailing) return 'failing'
  if (about.length > 0 || own.problem !== undefined) return 'degraded'
  return own.isOff === true ? 'off' : 'healthy'
}

const latencyOf = (checks: readonly CheckResult[]): number | undefined =>
  checks.length === 0 ? undefined : Math.max(...checks.map(({ latencyMs }) => latencyMs))

const maxDetails = 10

function detailsOf(
  { problem }: OwnWord,
  checks: readonly CheckResult[],
  about: readonly NotificationRecord[],
): readonly string[] {
  const reasons = checks.flatMap(({ reason }) => reason ?? [])
  const told = about
    .filter(({ kind }) => kind !== 'service')
    .map(({ name, detail }) => (name === '' ? detail : `${name}: ${detail}`))
  return [...new Set([...reasons, ...(problem === undefined ? [] : [problem]), ...told])].slice(
    0,
    maxDetails,
  )
}
