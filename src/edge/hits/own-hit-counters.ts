import type { HitCell, OwnCell } from './hit-counter.ts'

/** The owners' cells that have counted something since the last drain. */
export interface OwnCells {
  readonly count: number
  /** Makes a cell live again, at zero. */
  renew(cell: OwnCell, epoch: number): void
  /** Puts what was counted among `cells`, and begins anew. Several owners may count for one row. */
  moveInto(cells: Map<string, HitCell>): void
}

export function createOwnCells(): OwnCells {
  let live: OwnCell[] = []
  return {
    get count() {
      return live.length
    },
    renew(cell, epoch) {
      Object.assign(cell, { epoch, requests: 0, bytes: 0, aborted: 0 })
      live.push(cell)
    },
    moveInto(cells) {
      for (const cell of live) merge(cells, cell)
      live = []
    },
  }
}

function merge(cells: Map<string, HitCell>, own: OwnCell): void {
  const known = cells.get(own.name)
  if (known === undefined) {
    cells.set(own.name, own)
    return
  }
  const { requests, bytes, aborted } = known
  cells.set(own.name, {
    ...known,
    requests: requests + own.requests,
    bytes: bytes + own.bytes,
    aborted: aborted + own.aborted,
  })
}
