import { responseKindOf, responseKinds, type AssetResponse, AssetCounts } from './asset-counts.ts'
import { type Audience, createAudience } from './audience.ts'
import { isOpen, type HitCounter, type HitKey, type HitRow } from './hit-counter.ts'
import { createSharedHitCounters } from './shared-hit-counters.ts'

/**
 * Counts answers until someone takes the counts away. Every count is exact: where there is no room for
 * another path, hits are counted under the path `''` of their zone, and `collapsed` says how many;
 * where there is no room even for that, `dropped` does. Paths that clients make up have a room of their
 * own, so that no number of them can push an asset out.
 */
export interface HitTap {
  /** Counts an answer of a usual kind about an asset. */
  countAsset(answer: AssetResponse): void
  /** Adds what another process counted. */
  add(rows: readonly HitRow[]): void
  /** The counter of any other answer; not to be kept. */
  counter(key: HitKey): HitCounter
  /** The rows since the last call. A row is never handed out twice. */
  drain(): readonly HitRow[]
  /** Who asked, and how long they waited, beside the rows. */
  readonly audience: Audience
  readonly collapsed: number
  readonly dropped: number
}

export interface HitTapOptions {
  /** Of assets that were answered for in the usual ways, each from one country. */
  readonly maxAssetRows?: number
  /** Of all else. */
  readonly maxRows?: number
  /** Of these, how many may be about what need not exist. */
  readonly maxOpenRows?: number
  /** Counts what is to be in the rows and is not yet. */
  readonly beforeDrain?: (() => void) | undefined
}

export function createHitTap({
  maxAssetRows = 2_000_000,
  maxRows = 100_000,
  maxOpenRows = 4096,
  beforeDrain,
}: HitTapOptions = {}): HitTap {
  const shared = createSharedHitCounters({ maxRows, maxOpenRows })
  const assets = new AssetCounts(maxAssetRows)

  function countAsset(answer: AssetResponse): void {
    if (assets.add(answer)) return
    const { requests = 1, bytes } = answer
    addTo(shared.counter(keyOf(answer)), { requests, bytes, aborted: 0 })
  }

  return {
    audience: createAudience(),
    counter: (key) => shared.counter(key),
    countAsset,
    add(rows) {
      for (const row of rows) {
        const { requests, bytes, aborted, isAsset: _isAsset, ...key } = row
        const kind = requests > 0 && aborted === 0 ? responseKindOf(row) : undefined
        if (kind === undefined) addTo(shared.counter(key), row)
        else
          countAsset({
            about: row,
            country: row.country,
            isTransform: row.isTransform ?? false,
            kind,
            bytes,
            requests,
          })
      }
    },
    drain() {
      beforeDrain?.()
      // What was broken off is told of in a row of its own.
      const others = shared
        .take()
        .flatMap((counter) => (assets.absorb(counter) ? abortedOf(counter) : [toRow(counter)]))
      return others.length === 0 ? assets.take() : [...others, ...assets.take()]
    },
    get collapsed() {
      return shared.collapsed
    },
    get dropped() {
      return shared.dropped
    },
  }
}

const keyOf = ({ about: { zone, path }, country, isTransform, kind }: AssetResponse): HitKey => ({
  zone,
  path,
  country,
  method: 'GET',
  ...responseKinds[kind],
  ...(isTransform && { isTransform }),
})

function addTo(
  counter: HitCounter,
  { requests, bytes, aborted }: Pick<HitRow, 'requests' | 'bytes' | 'aborted'>,
): void {
  counter.requests += requests
  counter.bytes += bytes
  counter.aborted += aborted
}

const abortedOf = (counter: HitCounter): readonly HitRow[] =>
  counter.aborted === 0 ? [] : [toRow({ ...counter, requests: 0, bytes: 0 })]

const toRow = ({ key, requests, bytes, aborted }: HitCounter): HitRow =>
  Object.assign({ isAsset: !isOpen(key), requests, bytes, aborted }, key)
