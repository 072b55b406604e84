import type { AssetRecord } from '../../ports/records/asset.ts'
import type { AttributeFilter, Period } from './attributes.ts'
import type { Documents } from './columns/documents.ts'
import type { AssetFilter } from './matcher.ts'
import type { PathRanges } from './order/path-ranges.ts'
import { lowerBound } from './order/ranks.ts'
import type { SortKey, SortOrders } from './order/sort-orders.ts'
import type { Terms } from './terms.ts'

interface Dependencies {
  readonly documents: Pick<Documents, 'records'>
  readonly orders: SortOrders
  readonly ranges: Pick<PathRanges, 'documentsBelow'>
  readonly terms: Pick<Terms, 'candidates'>
}

interface Asked extends AssetFilter {
  readonly attributes?: AttributeFilter | undefined
}

/** The assets of so few zones are found faster than all others are passed over. */
const fewZones = 50

/** Among which assets those that are asked for must be, by the structures that there are anyway. */
export function createCandidates({ documents, orders, ranges, terms }: Dependencies) {
  const { records } = documents

  function changedWithin({ changed, created }: AttributeFilter): Uint32Array | undefined {
    if (changed !== undefined) return within('date', changed, ({ changedAt }) => changedAt)
    return created && within('created', created, ({ createdAt }) => createdAt)
  }

  function within(
    key: SortKey,
    { from, before }: Period,
    momentOf: (record: AssetRecord) => Date,
  ): Uint32Array {
    const all = orders.read(key, 'asc')
    const placeOf = (moment: Date) =>
      lowerBound(all.length, (place) => momentOf(records[all[place]!]!) < moment)
    return all.subarray(from ? placeOf(from) : 0, before ? placeOf(before) : all.length)
  }

  return ({ project, directory, zones, attributes }: Asked): readonly Uint32Array[] => {
    const few = attributes && (terms.candidates(attributes) ?? changedWithin(attributes))
    if (few !== undefined) return [few]
    if (directory !== undefined) return [ranges.documentsBelow(directory)]
    if (project !== undefined) return [ranges.documentsBelow(project)]
    if (!zones || zones.size > fewZones) return [orders.read('path', 'asc')]
    return Array.from(zones, (zone) => ranges.documentsBelow(zone))
  }
}
