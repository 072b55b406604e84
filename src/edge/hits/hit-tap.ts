import {
  isOpen,
  nameOf,
  neverLive,
  type HitCell,
  type HitKey,
  type HitRow,
  type OwnCell,
} from './hit-counter.ts'
import { createOwnCells } from './own-hit-counters.ts'
import { createSharedCells } from './shared-hit-counters.ts'

/**
 * Counts answers until someone takes the counts away. Every count is exact: where there is no room for
 * another path, hits are counted under the path `''` of their zone, and `collapsed` says how many;
 * where there is no room even for that, `dropped` does. Paths that clients make up have a room of their
 * own, so that no number of them can push an asset out.
 */
export interface HitTap {
  cell(key: HitKey): HitCell
  isLive(cell: HitCell): boolean
  /** A cell for an owner to keep over many drains. It counts nothing until it is renewed. */
  ownCell(key: HitKey): OwnCell
  /** Makes an owner's cell live again, at zero. `false` where there is no room: then ask for a `cell`. */
  renew(cell: OwnCell): boolean
  /** The rows since the last call. A row is never handed out twice. */
  drain(): readonly HitRow[]
  readonly collapsed: number
  readonly dropped: number
}

export interface HitTapOptions {
  readonly maxRows?: number
  /** Of these, how many may be about what need not exist. */
  readonly maxOpenRows?: number
  /** Counts what is to be in the rows and is not yet. */
  readonly beforeDrain?: (() => void) | undefined
}

export function createHitTap({
  maxRows = 100_000,
  maxOpenRows = 4096,
  beforeDrain,
}: HitTapOptions = {}): HitTap {
  const shared = createSharedCells({ maxRows, maxOpenRows })
  const own = createOwnCells()
  let epoch = 0
  return {
    cell: (key) => shared.cell(key, epoch),
    ownCell: (key) => ({ ...neverLive(key), name: nameOf(key) }),
    renew(cell) {
      const hasRoom = shared.count + own.count < maxRows
      if (hasRoom) own.renew(cell, epoch)
      return hasRoom
    },
    isLive: (cell) => cell.epoch === epoch && cell.key.path !== '',
    drain() {
      beforeDrain?.()
      const cells = shared.take()
      own.moveInto(cells)
      epoch += 1
      return [...cells.values()].map(toRow)
    },
    get collapsed() {
      return shared.collapsed
    },
    get dropped() {
      return shared.dropped
    },
  }
}

const toRow = ({ key, requests, bytes, aborted }: HitCell): HitRow =>
  Object.assign({ isAsset: !isOpen(key), requests, bytes, aborted }, key)
