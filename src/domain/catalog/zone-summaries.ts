import type { AssetRecord } from '../../ports/records/asset.ts'

/** Files of one category and format. */
export interface KindSummary {
  readonly category: string
  readonly format: string
  readonly fileCount: number
  readonly storageBytes: number
}

export interface ZoneSummary {
  readonly fileCount: number
  readonly storageBytes: number
  /** Distinct, in order. */
  readonly categories: readonly string[]
  readonly formats: readonly string[]
  /** The same by category and format, those that have a file, in no order. */
  readonly kinds: readonly KindSummary[]
}

/** The sums over each zone's assets, kept up with every change. */
export interface ZoneSummaries {
  add(record: AssetRecord): void
  remove(record: AssetRecord): void
  /** All zero for a zone without assets. The same object until an asset of the zone changes. */
  read(zone: string): ZoneSummary
  /** Its assets whose time is over some day, or is already. */
  expiring(zone: string): Iterable<AssetRecord>
}

type Writable<T> = { -readonly [Member in keyof T]: T[Member] }

interface Sums {
  fileCount: number
  storageBytes: number
  readonly kindByKey: Map<string, Writable<KindSummary>>
  /** Mostly that of the next asset too. */
  last: Writable<KindSummary> | undefined
  readonly expiring: Map<string, AssetRecord>
  summary: ZoneSummary | undefined
}

const emptySummary: ZoneSummary = {
  fileCount: 0,
  storageBytes: 0,
  categories: [],
  formats: [],
  kinds: [],
}

export function createZoneSummaries(): ZoneSummaries {
  const sumsByZone = new Map<string, Sums>()

  function sumsOf(zone: string): Sums {
    const known = sumsByZone.get(zone)
    if (known) return known
    const sums: Sums = {
      fileCount: 0,
      storageBytes: 0,
      kindByKey: new Map(),
      last: undefined,
      expiring: new Map(),
      summary: undefined,
    }
    sumsByZone.set(zone, sums)
    return sums
  }

  function count(record: AssetRecord, sign: 1 | -1) {
    const { zone, sizeBytes } = record
    const sums = sumsOf(zone)
    sums.summary = undefined
    sums.fileCount += sign
    sums.storageBytes += sign * sizeBytes
    tallyKind(sums, record, sign)
    if (sign < 0) sums.expiring.delete(record.path)
    else if (record.metadata?.expiresAt) sums.expiring.set(record.path, record)
    if (sums.fileCount === 0) sumsByZone.delete(zone)
  }

  return {
    add: (record) => count(record, 1),
    remove: (record) => count(record, -1),
    expiring: (zone) => sumsByZone.get(zone)?.expiring.values() ?? [],
    read(zone) {
      const sums = sumsByZone.get(zone)
      return sums ? (sums.summary ??= summaryOf(sums)) : emptySummary
    },
  }
}

function tallyKind(sums: Sums, { category, format, sizeBytes }: AssetRecord, sign: 1 | -1) {
  const { last } = sums
  const kind =
    last?.category === category && last.format === format ? last : kindOf(sums, category, format)
  kind.fileCount += sign
  kind.storageBytes += sign * sizeBytes
  sums.last = kind
  if (kind.fileCount > 0) return
  sums.kindByKey.delete(keyOf(category, format))
  sums.last = undefined
}

function kindOf({ kindByKey }: Sums, category: string, format: string): Writable<KindSummary> {
  const key = keyOf(category, format)
  const known = kindByKey.get(key)
  if (known !== undefined) return known
  const kind = { category, format, fileCount: 0, storageBytes: 0 }
  kindByKey.set(key, kind)
  return kind
}

const keyOf = (category: string, format: string): string => `${category}/${format}`

const distinct = (texts: IteratorObject<string>): readonly string[] => [...new Set(texts)].sort()

const summaryOf = ({ fileCount, storageBytes, ...sums }: Sums): ZoneSummary => ({
  fileCount,
  storageBytes,
  categories: distinct(sums.kindByKey.values().map(({ category }) => category)),
  formats: distinct(sums.kindByKey.values().map(({ format }) => format)),
  kinds: sums.kindByKey
    .values()
    .map((kind) => ({ ...kind }))
    .toArray(),
})
