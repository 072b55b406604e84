import { Mutex } from '../../../lib/async/mutex.ts'
import type { Change, Move } from '../../../ports/content/content-store.ts'
import { usedUpThisMonth } from '../../access/quotas/used-up.ts'
import type { ZoneBounds } from '../../access/quotas/zone-bounds.ts'
import type { ZoneQuotaName } from '../../../lib/zone-quota-names.ts'
import { quotaText } from '../../access/quotas/zone-quotas.ts'
import { ServiceError } from '../../errors.ts'
import {
  type Growth,
  growthByZone,
  type ShownFiles,
  withoutFormer,
  zonesTouched,
} from './zone-growth.ts'

/** What is shown of zones. */
export interface ShownZones extends ShownFiles {
  zoneSummary(zone: string): { readonly fileCount: number; readonly storageBytes: number }
}

/** What a write is to change. */
export interface Write {
  readonly changes: readonly Change[]
  readonly moves?: readonly Move[] | undefined
}

/**
 * What zones may still take in. What a write takes is taken before it is a commit, so that of many at
 * once no more get through than there is room for.
 */
export interface ZoneRoom {
  /**
   * Takes room for what a plan changes, in the place of what the same one took before; refuses with
   * `QuotaExceeded` or `limit_reached`, and has taken nothing then. What does not grow is never refused.
   * A plan that runs again has all that ran after it run again.
   */
  take(key: object, write: Write): Promise<void>
  /** Refuses what `take` would refuse now, and takes nothing. */
  require(write: Write): Promise<void>
  /** The same as `take` for a write that is no plan: it is where it is, whatever runs again. */
  reserve(key: object, write: Write): Promise<void>
  /** It is shown, and with it what it took. */
  land(key: object): void
  /** Nothing came of it. */
  release(key: object): void
  /** Whether it came to anything is not known: it counts until all that was committed is shown. */
  leave(key: object): void
}

interface Dependencies {
  readonly bounds: Pick<ZoneBounds, 'limitOf'>
  readonly shown: ShownZones
  /** Whether all that was committed is shown. */
  readonly isCurrent: () => boolean
  /** Files whose bytes a zone had published in this UTC month. */
  readonly uploadsOf: (zone: string) => Promise<number>
  readonly now: () => Date
}

/** What a zone had before the first of the writes that are under way. */
interface Standing {
  bytes: number
  files: number
  uploads: number
  readonly month: string
}

const heldNames = ['bytes', 'files', 'uploads'] as const

export function createZoneRoom(dependencies: Dependencies): ZoneRoom {
  const { bounds, shown, isCurrent, now } = dependencies
  const standingByZone = new Map<string, Standing>()
  const ledger = createLedger(standingByZone)
  const turns = new Mutex()
  const standingOf = createReading(standingByZone, dependencies)

  /** What a write takes of these zones, where there is room for it. */
  async function weigh(write: Write, zones: readonly string[]) {
    if (isCurrent()) ledger.dropLeft()
    const standings = new Map<string, Standing>()
    for (const zone of zones) standings.set(zone, await standingOf(zone))
    // From here on nothing else has its turn.
    const taken = growthByZone(write, { shown, under: ledger.taken(), zones: new Set(zones) })
    for (const [zone, standing] of standings) {
      const others = ledger.growthsOf(zone)
      requireRoomFor(zone, taken.get(zone), { standing, others, bounds, at: now() })
    }
    return taken
  }

  async function take(write: Write, key?: object): Promise<void> {
    const zones = boundedOf(write, bounds)
    if (zones.length === 0) return
    using _turn = await turns.acquire()
    try {
      const taken = await weigh(write, zones)
      if (key !== undefined) ledger.add(key, taken)
    } finally {
      for (const zone of zones) ledger.forgetIfIdle(zone)
    }
  }

  return {
    take(key, write) {
      ledger.dropFrom(key)
      return take(write, key)
    },
    require: (write) => take(write),
    reserve(key, write) {
      ledger.reserve(key)
      return take(write, key)
    },
    land: (key) => ledger.drop(key, true),
    release: (key) => ledger.drop(key, false),
    leave: (key) => ledger.leave(key),
  }
}

/** What is under way. */
function createLedger(standingByZone: Map<string, Standing>) {
  const takenByWrite = new Map<object, ReadonlyMap<string, Growth>>()
  const left = new Set<object>()
  const reserved = new Set<object>()
  const growthsOf = (zone: string): readonly Growth[] =>
    [...takenByWrite.values()].flatMap((taken) => taken.get(zone) ?? [])

  function drop(key: object, isShown: boolean): void {
    const taken = takenByWrite.get(key)
    if (taken !== undefined && !isShown) rebase(key, taken)
    takenByWrite.delete(key)
    left.delete(key)
    reserved.delete(key)
    for (const [zone, growth] of taken ?? []) {
      const standing = standingByZone.get(zone)
      if (standing === undefined) continue
      if (isShown) for (const name of heldNames) standing[name] += growth[name]
      forgetIfIdle(zone)
    }
  }

  /** Those that came after it were worked out on top of it. */
  function rebase(key: object, taken: ReadonlyMap<string, Growth>): void {
    const keys = [...takenByWrite.keys()]
    for (const [zone, former] of taken) {
      const after = keys
        .slice(keys.indexOf(key) + 1)
        .filter((each) => takenByWrite.get(each)?.has(zone) === true)
      const growths = after.flatMap((each) => takenByWrite.get(each)?.get(zone) ?? [])
      for (const [place, growth] of withoutFormer(former, growths).entries()) {
        const each = after[place]
        if (each !== undefined)
          takenByWrite.set(each, new Map(takenByWrite.get(each)).set(zone, growth))
      }
    }
  }

  /** Where nothing of it is under way, what is shown is all there is. */
  function forgetIfIdle(zone: string): void {
    if (growthsOf(zone).length === 0) standingByZone.delete(zone)
  }

  return {
    growthsOf,
    drop,
    forgetIfIdle,
    taken: () => [...takenByWrite.values()],
    add: (key: object, taken: ReadonlyMap<string, Growth>) => void takenByWrite.set(key, taken),
    reserve: (key: object) => void reserved.add(key),
    leave: (key: object) => void (takenByWrite.has(key) && left.add(key)),
    dropLeft() {
      for (const each of left) drop(each, false)
    },
    /** What came after it was worked out on top of it, and comes again. */
    dropFrom(key: object): void {
      if (!takenByWrite.has(key)) return
      const keys = [...takenByWrite.keys()]
      // The last first, or each would be worked out anew before it goes.
      for (const each of keys.slice(keys.indexOf(key)).toReversed())
        if (!reserved.has(each) && !left.has(each)) drop(each, false)
    },
  }
}

/** Read where nothing of the zone is under way, so that what is shown is all there is. */
function createReading(
  standingByZone: Map<string, Standing>,
  { bounds, shown, uploadsOf, now }: Dependencies,
) {
  return async (zone: string): Promise<Standing> => {
    const month = now().toISOString().slice(0, 7)
    const known = standingByZone.get(zone)
    if (known?.month === month) return known
    const uploads = bounds.limitOf(zone, 'uploads') === undefined ? 0 : await uploadsOf(zone)
    const { storageBytes, fileCount } = shown.zoneSummary(zone)
    const { bytes, files } = standingByZone.get(zone) ?? { bytes: storageBytes, files: fileCount }
    const standing = { bytes, files, uploads, month }
    standingByZone.set(zone, standing)
    return standing
  }
}

const boundedOf = ({ changes }: Write, bounds: Dependencies['bounds']): readonly string[] =>
  [...zonesTouched(changes)].filter((zone) =>
    heldNames.some((name) => bounds.limitOf(zone, name) !== undefined),
  )

interface Around {
  readonly standing: Standing
  /** What else of the zone is under way. */
  readonly others: readonly Growth[]
  readonly bounds: Dependencies['bounds']
  readonly at: Date
}

function requireRoomFor(
  zone: string,
  growth: Growth | undefined,
  { standing, others, bounds, at }: Around,
): void {
  if (growth === undefined) return
  for (const name of heldNames) {
    const used = others.reduce((sum, each) => sum + heldBy(each, name), standing[name])
    const limit = bounds.limitOf(zone, name)
    requireRoom({ zone, name, used, more: growth[name], limit }, at)
  }
}

/** What others take of the room, whatever comes of them. */
const heldBy = (growth: Growth, name: (typeof heldNames)[number]): number =>
  growth[name] + (name === 'bytes' ? growth.shrunkBytes : 0)

interface Wanted {
  readonly zone: string
  readonly name: ZoneQuotaName
  readonly used: number
  readonly more: number
  readonly limit: number | undefined
}

function requireRoom({ zone, name, used, more, limit }: Wanted, at: Date): void {
  if (limit === undefined || more <= 0 || used + more <= limit) return
  if (name === 'uploads') throw usedUpThisMonth({ zone, name, limit }, at)
  const [has, may, adds] = [used, limit, more].map((amount) => quotaText(name, amount))
  throw new ServiceError(
    'QuotaExceeded',
    `The quota "${name}" of zone "${zone}" is ${may}; it has ${has}, and this would add ${adds}. Remove something first, or ask the operator for more`,
    { target: name, context: { Limit: limit, Used: used } },
  )
}
