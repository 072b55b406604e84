import { takeTurns } from '../../lib/async/turns.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'
import type { FeedEntry } from '../../ports/records/feed.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { createDocuments, type Documents } from './documents.ts'
import { nameWords } from './words/index-text.ts'

export interface Published {
  asset(path: string): AssetRecord | undefined
  zones(): readonly ZoneRecord[]
  zoneFiles(name: string): readonly AssetRecord[]
}

/** Everything published, found by name at once; what its meaning is has to be asked for. */
export interface NameIndex {
  readonly documents: Documents
  /** Whether all that was there at the start is in it. */
  readonly isLoaded: boolean
  /** The paths whose meaning is to be worked out. */
  readonly pending: Set<string>
  take(entry: FeedEntry): void
  /** Makes an asset pending once more. Answers whether it is there. */
  renew(path: string): boolean
  /** Takes in what was published before, a slice at a time. */
  load(signal: AbortSignal): Promise<void>
  /** Clears away what removed assets left behind, where that is the greater part; a slice at a time. */
  compact(): Promise<void>
}

interface Dependencies {
  readonly published: Published
  readonly maxVectors: number
}

const assetsPerTurn = 500
/** So many rows of what is gone do no harm. */
const toleratedRows = 2_000

export function createNameIndex({ published, ...room }: Dependencies): NameIndex {
  let documents = createDocuments(room)
  let isLoaded = false
  const pending = new Set<string>()
  /** Those that take the place of the others once they are whole. */
  let fresh: Documents | undefined

  function put(path: string): void {
    putInto(documents, path)
    if (fresh !== undefined) putInto(fresh, path)
  }

  function putInto(some: Documents, path: string): void {
    const asset = published.asset(path)
    if (!asset) return some.remove(path)
    some.put(asset, nameWords(asset))
    pending.add(path)
  }

  function forgetZone(zone: string): void {
    for (const path of documents.paths())
      if (path.startsWith(`${zone}/`) && !published.asset(path)) put(path)
  }

  return {
    get documents() {
      return documents
    },
    get isLoaded() {
      return isLoaded
    },
    pending,
    take({ event, path, zone }) {
      if (event === 'zone.deleted' && zone !== undefined) forgetZone(zone)
      if (path !== undefined && event.startsWith('asset.')) put(path)
    },
    renew(path) {
      const isThere = documents.rowOf(path) !== undefined
      if (isThere) pending.add(path)
      return isThere
    },
    async load(signal) {
      const turns = takeTurns(assetsPerTurn)
      for (const { name } of published.zones())
        for (const { path } of published.zoneFiles(name)) {
          await turns.after(1)
          if (signal.aborted) return
          if (documents.rowOf(path) === undefined) put(path)
        }
      isLoaded = true
    },
    async compact() {
      if (documents.end < 2 * documents.size + toleratedRows) return
      const turns = takeTurns(assetsPerTurn)
      fresh = createDocuments(room)
      for (const path of documents.paths()) {
        putInto(fresh, path)
        await turns.after(1)
      }
      documents = fresh
      fresh = undefined
    },
  }
}
