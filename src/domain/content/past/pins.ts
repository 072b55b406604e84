import { SharedTurns } from '../../../lib/async/shared-turns.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { networkOf } from '../../../lib/net/address-list.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { ServiceError } from '../../errors.ts'
import type { PinSource } from './pin-source.ts'

/** What was found: an asset or a commit, `null` where there is none, `ambiguous` of a name of several commits. */
export type Found<T> = T | 'ambiguous' | null

/**
 * What commits have, looked up once. Who only asks what is known waits for nothing and costs nothing;
 * who looks something up takes turns, and each network has few of them.
 */
export interface Pins {
  /**
   * `undefined` where it was not looked up, or is forgotten. `zone` is as it is published now; `commit` an
   * id, its first digits, or `stateOfPreview`.
   */
  known(zone: ZoneRecord, commit: string, path: string): Found<AssetRecord> | undefined
  /**
   * Looks up what is not known, for whoever comes from an IP address. Throws `limit_reached` where the
   * network has looked up too much, and `Unavailable` where all have.
   */
  learn(wanted: WantedPaths, address: string): Promise<void>
  /** The commit of a moment. */
  knownMoment(zone: ZoneRecord, moment: Date): Found<string> | undefined
  learnMoment(wanted: WantedMoment, address: string): Promise<void>
}

export interface WantedPaths {
  readonly zone: ZoneRecord
  readonly commit: string
  /** Of the zone. */
  readonly paths: readonly string[]
}

export interface WantedMoment {
  readonly zone: ZoneRecord
  readonly moment: Date
}

export type WantedPast = WantedPaths | WantedMoment

interface Dependencies {
  readonly source: PinSource
  /** Counts a look-up; throws where it was one too many of a network. */
  readonly charge: (address: string) => void
  readonly now: () => Date
}

interface Remembered {
  /** It holds while the zone is this very record. */
  readonly zone: ZoneRecord
  readonly found: Found<AssetRecord | string>
  readonly untilMs: number
}

/** At most some 600 bytes each. */
const rememberedCount = 16_384
/** A commit of that name may yet be made, and a moment that is not past have another commit. */
const passingMs = 2_000
const turns = {
  atOnce: 8,
  atOncePerKey: 4,
  maxPerKey: 512,
  maxWaiting: 4096,
  maxWaitMs: 10_000,
} as const

export function createPins({ source, charge, now }: Dependencies): Pins {
  const remembered = new LruCache<Remembered>({ maxWeight: rememberedCount, weigh: () => 1 })
  const flights = createSingleFlight<void>()
  const sharedTurns = new SharedTurns(turns)

  function recall(key: string, zone: ZoneRecord): Found<AssetRecord | string> | undefined {
    const value = remembered.get(key)
    const holds = value?.zone === zone && value.untilMs > now().getTime()
    return holds ? value.found : undefined
  }

  function remember(key: string, value: Omit<Remembered, 'untilMs'>, isPassing: boolean): void {
    const untilMs = isPassing ? now().getTime() + passingMs : Number.POSITIVE_INFINITY
    remembered.set(key, { ...value, untilMs })
  }

  async function takingTurns(address: string, work: () => Promise<void>): Promise<void> {
    charge(address)
    if ((await sharedTurns.run(networkOf(address), work)) === undefined)
      throw new ServiceError('Unavailable', 'Too much of the past is looked up just now')
  }

  async function ask({ zone, commit, paths }: WantedPaths, address: string): Promise<void> {
    const answer = await source.assets(commit, paths, address)
    const isNone = answer === undefined || answer === 'ambiguous'
    if (isNone) remember(commitKey(commit), { zone, found: answer ?? null }, true)
    else
      for (const [index, path] of paths.entries())
        remember(pathKey(commit, path), { zone, found: answer.assets[index] ?? null }, false)
  }

  /** An asset may be none, which `??` would take for not known. */
  const known: Pins['known'] = (zone, commit, path) => {
    const found = recall(pathKey(commit, path), zone)
    const told = found === undefined ? recall(commitKey(commit), zone) : found
    return told as Found<AssetRecord> | undefined
  }

  return {
    known,
    async learn(wanted, address) {
      const { zone, commit } = wanted
      const paths = wanted.paths.filter((path) => known(zone, commit, path) === undefined)
      if (paths.length === 0) return
      const key = `${zone.createdAt.getTime()} ${commit} ${paths.join('\n')}`
      await flights.share(key, () =>
        takingTurns(address, () => ask({ zone, commit, paths }, address)),
      )
    },
    knownMoment: (zone, moment) =>
      recall(momentKey(zone, moment), zone) as Found<string> | undefined,
    async learnMoment({ zone, moment }, address) {
      const key = momentKey(zone, moment)
      await flights.share(key, () =>
        takingTurns(address, async () => {
          const isPassing = moment.getTime() > now().getTime() - passingMs
          const found = (await source.commitAt(zone.name, moment, address)) ?? null
          remember(key, { zone, found }, isPassing)
        }),
      )
    },
  }
}

const commitKey = (commit: string): string => `commit ${commit}`
const pathKey = (commit: string, path: string): string => `path ${commit} ${path}`
const momentKey = ({ name }: ZoneRecord, moment: Date): string =>
  `moment ${name} ${Math.floor(moment.getTime() / 1000)}`
