import { compareByBytes } from '../../../lib/text/byte-order.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import type { Documents } from '../columns/documents.ts'
import { lowerBound } from './ranks.ts'
import type { SortOrders } from './sort-orders.ts'

/** Assets by where their paths begin. What is below a directory is together in the order of paths. */
export interface PathRanges {
  /** Every asset below `directory`, at any depth, in path order. */
  below(directory: string): readonly AssetRecord[]
  /** Like `below`, but their documents. */
  documentsBelow(directory: string): Uint32Array<ArrayBuffer>
  /** The assets in `directory` itself, by name. */
  directlyIn(directory: string): readonly AssetRecord[]
  /** Every asset whose path begins with `text`, in path order. */
  startingWith(text: string): readonly AssetRecord[]
  /** All of them in path order. Good until the next change. */
  inOrder(): AssetsInOrder
}

export interface AssetsInOrder {
  readonly assetCount: number
  readonly assetAt: (place: number) => AssetRecord
}

/** The character after `/`: where the paths below a directory end in the order. */
const afterSlash = '0'

export function createPathRanges(
  documents: Pick<Documents, 'records'>,
  orders: Pick<SortOrders, 'read'>,
): PathRanges {
  const { records } = documents

  /** The first place of a path that does not come before `text`. */
  const placeOf = (order: Uint32Array, text: string) =>
    lowerBound(order.length, (place) => compareByBytes(records[order[place]!]!.path, text) < 0)

  function documentsBelow(directory: string) {
    const order = orders.read('path', 'asc')
    const start = placeOf(order, `${directory}/`)
    return order.subarray(start, placeOf(order, `${directory}${afterSlash}`))
  }

  const recordsOf = (range: Uint32Array) => Array.from(range, (document) => records[document]!)

  return {
    documentsBelow,
    below: (directory) => recordsOf(documentsBelow(directory)),
    directlyIn(directory) {
      const order = documentsBelow(directory)
      const files: AssetRecord[] = []
      for (let place = 0; place < order.length;) {
        const record = records[order[place]!]!
        const slash = record.path.indexOf('/', directory.length + 1)
        if (slash === -1) files.push(record)
        // A sub-directory is passed over in one search, however much is in it.
        place =
          slash === -1 ? place + 1 : placeOf(order, `${record.path.slice(0, slash)}${afterSlash}`)
      }
      return files
    },
    inOrder() {
      const order = orders.read('path', 'asc')
      return { assetCount: order.length, assetAt: (place) => records[order[place]!]! }
    },
    startingWith(text) {
      const order = orders.read('path', 'asc')
      const found: AssetRecord[] = []
      for (let place = placeOf(order, text); place < order.length; place += 1) {
        const record = records[order[place]!]!
        if (!record.path.startsWith(text)) break
        found.push(record)
      }
      return found
    },
  }
}
