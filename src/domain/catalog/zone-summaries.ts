import type { AssetRecord } from '../../ports/publication-store.ts'

export interface ZoneSummary {
  readonly fileCount: number
  readonly storageBytes: number
  /** Distinct, in order. */
  readonly categories: readonly string[]
  readonly formats: readonly string[]
}

/** The sums over each zone's assets, kept up with every change. */
export interface ZoneSummaries {
  add(record: AssetRecord): void
  remove(record: AssetRecord): void
  /** All zero for a zone without assets. The same object until an asset of the zone changes. */
  read(zone: string): ZoneSummary
}

interface Sums {
  fileCount: number
  storageBytes: number
  readonly filesByCategory: Map<string, number>
  readonly filesByFormat: Map<string, number>
  summary: ZoneSummary | undefined
}

const emptySummary: ZoneSummary = { fileCount: 0, storageBytes: 0, categories: [], formats: [] }

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
      summary: undefined,
    }
    sumsByZone.set(zone, sums)
    return sums
  }

  function count({ zone, category, format, sizeBytes }: AssetRecord, sign: 1 | -1) {
    const sums = sumsOf(zone)
    sums.summary = undefined
    sums.fileCount += sign
    sums.storageBytes += sign * sizeBytes
    tally(sums.filesByCategory, category, sign)
    tally(sums.filesByFormat, format, sign)
    if (sums.fileCount === 0) sumsByZone.delete(zone)
  }

  return {
    add: (record) => count(record, 1),
    remove: (record) => count(record, -1),
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

const summaryOf = ({ fileCount, storageBytes, filesByCategory, filesByFormat }: Sums) => ({
  fileCount,
  storageBytes,
  categories: [...filesByCategory.keys()].sort(),
  formats: [...filesByFormat.keys()].sort(),
})
