/** Where the services of a test file keep everything, when that is not their data directory. */
export type Stores = 'on servers' | 'through a standby'

/** A test file to run, in a process of its own. */
export interface PlannedFile {
  /** From the root of the repository. */
  readonly path: string
  readonly stores?: Stores
  /** Whether nothing else may run meanwhile. */
  readonly isAlone?: boolean
  /** Whether its services are started as a checkout starts them, even where the run has compiled them. */
  readonly isFromSources?: boolean
}

/** `fast` is for every commit; `full` leaves nothing out. */
export type Tier = 'fast' | 'full'

/** What reports and the kept seconds call it. */
export const titleOf = ({ path, stores }: PlannedFile): string =>
  stores === undefined ? path : `${path} (${stores})`

/** Says of a service that it keeps its data elsewhere; has nothing to say where it does not. */
const aboutStores = 'test/journeys/stores-elsewhere.test.ts'

/** What the service does, seen from outside: none of it may depend on where things are kept. */
const pathsByStores: Readonly<Record<Stores, readonly string[]>> = {
  'on servers': [
    aboutStores,
    'test/journeys/first-hour.test.ts',
    'test/journeys/asset-history.test.ts',
    'test/journeys/client.test.ts',
    'test/journeys/keys-and-tokens.test.ts',
    'test/journeys/webhooks.test.ts',
    'test/journeys/insights.test.ts',
    'test/journeys/delivery-cache.test.ts',
    'test/journeys/uploads.test.ts',
    'test/journeys/upload-grants.test.ts',
    'test/journeys/zone-quotas.test.ts',
    'test/journeys/zone-quota-delivery.test.ts',
    'test/journeys/zone-quota-planes.test.ts',
    'test/api/core.test.ts',
    'test/api/storage.test.ts',
    'test/api/assets.test.ts',
    'test/api/purge.test.ts',
  ],
  // What asks a real process; but for insights, since what other nodes counted comes a little later.
  'through a standby': [
    aboutStores,
    'test/journeys/asset-history.test.ts',
    'test/journeys/client.test.ts',
    'test/journeys/keys-and-tokens.test.ts',
    'test/journeys/webhooks.test.ts',
    'test/journeys/delivery-cache.test.ts',
    'test/journeys/s3-keys.test.ts',
    'test/journeys/uploads.test.ts',
  ],
}

/** The contracts of the ports hold every store to the same; for each commit these two journeys do. */
const elsewhereInFastTier: ReadonlySet<string> = new Set([
  'test/journeys/client.test.ts (on servers)',
  'test/journeys/keys-and-tokens.test.ts (through a standby)',
])

/** Kills, partitions, floods, whole clusters, every page in a browser: minutes that few commits need. */
const fullTierOnly: readonly RegExp[] = [
  /^test\/faults\//u,
  /^test\/journeys\/(?:backup|broken-off|certificate-change|cluster|edge-certificates|files-over|fronts|mirror)/u,
  /^test\/s3\/clients\//u,
  /^test\/browser\/(?:dashboard|dashboard-pages|links|site|starters|streaming)\.test\.ts$/u,
  /\/bombs\.test\.ts$/u,
]

/**
 * Hold the service to what it does with the whole machine, by the clock: how long it lets others wait, and
 * that the most that is allowed is done before it counts as too much.
 */
const alone: ReadonlySet<string> = new Set([
  'test/faults/stalls.test.ts',
  'test/faults/worst-requests.test.ts',
])

/** Start as somebody who has a checkout, or hold what is started to the clock. */
const fromSources: ReadonlySet<string> = new Set([
  ...alone,
  'test/faults/kill.test.ts',
  'test/journeys/edge-workers.test.ts',
  'test/journeys/first-hour.test.ts',
  'test/journeys/upgrade.test.ts',
])

interface Wanted {
  /** Every test file there is, from the root of the repository. */
  readonly paths: readonly string[]
  readonly tier: Tier
  /** How long a title took when that was last kept; small ones are left out. */
  readonly seconds: Readonly<Record<string, number>>
  /** Parts of titles; all are wanted where there are none. */
  readonly words: readonly string[]
}

/**
 * What to run, longest first, so that nothing long is left over when all else is done; what runs alone comes
 * last.
 */
export function plan({ paths, tier, seconds, words }: Wanted): readonly PlannedFile[] {
  const here: readonly PlannedFile[] = paths
    .filter((path) => path !== aboutStores)
    .map((path) => ({
      path,
      ...(alone.has(path) && { isAlone: true }),
      ...(fromSources.has(path) && { isFromSources: true }),
    }))
  const elsewhere = Object.entries(pathsByStores).flatMap(([stores, each]) =>
    each.map((path) => ({ path, stores: stores as Stores })),
  )
  const rankOf = (file: PlannedFile): number =>
    file.isAlone === true ? -1 : (seconds[titleOf(file)] ?? 0)
  return [...here, ...elsewhere]
    .filter((file) => tier === 'full' || isFast(file))
    .filter((file) => words.length === 0 || words.some((word) => titleOf(file).includes(word)))
    .toSorted((a, b) => rankOf(b) - rankOf(a))
}

const isFast = (file: PlannedFile): boolean =>
  file.stores === undefined
    ? !fullTierOnly.some((pattern) => pattern.test(file.path))
    : elsewhereInFastTier.has(titleOf(file))
