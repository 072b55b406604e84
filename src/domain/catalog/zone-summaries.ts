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

interface Sums {
  fileCount: number
  storageBytes: number
  readonly filesByCategory: Map<string, number>
  readonly filesByFormat: Map<string, number>
  readonly kindByKey: Map<string, KindSummary>
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
      filesByCategory: new Map(),
      filesByFormat: new Map(),
      kindByKey: new Map(),
      expiring: new Map(),
      summary: undefined,
    }
    sumsByZone.set(zone, sums)
    return sums
  }

  function count(record: AssetRecord, sign: 1 | -1) {
    const { zone, category, format, sizeBytes } = record
    const sums = sumsOf(zone)
    sums.summary = undefined
    sums.fileCount += sign
    sums.storageBytes += sign * sizeBytes
    tally(sums.filesByCategory, category, sign)
    tally(sums.filesByFormat, format, sign)
    tallyKind(sums.kindByKey, { category, format, fileCount: sign, storageBytes: sign * sizeBytes })
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

function tally(counts: Map<string, number>, key: string, change: number) {
  const count = (counts.get(key) ?? 0) + change
  if (count === 0) counts.delete(key)
  else counts.set(key, count)
}

function tallyKind(kindByKey: Map<string, KindSummary>, change: KindSummary) {
  const { category, format } = change
  const key = `${category}/${format}`
  const known = kindByKey.get(key)
  const fileCount = (known?.fileCount ?? 0) + change.fileCount
  const storageBytes = (known?.storageBytes ?? 0) + change.storageBytes
  if (fileCount === 0) kindByKey.delete(key)
  else kindByKey.set(key, { category, format, fileCount, storageBytes })
}

const summaryOf = ({ fileCount, storageBytes, ...sums }: Sums): ZoneSummary => ({
  fileCount,
  storageBytes,
  categories: [...sums.filesByCategory.keys()].sort(),
  formats: [...sums.filesByFormat.keys()].sort(),
  kinds: [...sums.kindByKey.values()],
})
