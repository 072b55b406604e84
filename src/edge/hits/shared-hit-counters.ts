import { isOpen, nameOf, neverLive, type HitCell, type HitKey } from './hit-counter.ts'

/** Cells found by their keys, for all who count. */
export interface SharedCells {
  readonly count: number
  readonly collapsed: number
  readonly dropped: number
  /** The key's cell; where room is short, that of its zone, and at last one that nobody drains. */
  cell(key: HitKey, epoch: number): HitCell
  /** Hands over all cells by name, and begins anew. */
  take(): Map<string, HitCell>
}

const maxOpenPathLength = 256
/** Room that only collapsed rows may use, so that zones stay told apart when paths no longer are. */
const collapsedRoom = 4096
const collapsedPath = ''

interface SharedCellsOptions {
  readonly maxRows: number
  readonly maxOpenRows: number
}

export function createSharedCells({ maxRows, maxOpenRows }: SharedCellsOptions): SharedCells {
  let cellByName = new Map<string, HitCell>()
  let openRows = 0
  let collapsed = 0
  let dropped = 0

  function add(name: string, key: HitKey, epoch: number): HitCell {
    const cell = { ...neverLive(key), epoch }
    cellByName.set(name, cell)
    return cell
  }

  function assetCell(key: HitKey, epoch: number): HitCell {
    const name = nameOf(key)
    const known = cellByName.get(name)
    if (known !== undefined) return known
    return cellByName.size < maxRows ? add(name, key, epoch) : collapse(key, epoch)
  }

  /** For a path that a client may have made up: there may be a million of them. */
  function openCell(key: HitKey, epoch: number): HitCell {
    const short = { ...key, path: key.path.slice(0, maxOpenPathLength) }
    const known = cellByName.get(nameOf(short))
    if (known !== undefined) return known
    if (openRows >= maxOpenRows || cellByName.size >= maxRows) return collapse(key, epoch)
    openRows += 1
    const kept = { ...short, path: ownCopy(short.path) }
    return add(nameOf(kept), kept, epoch)
  }

  function collapse(key: HitKey, epoch: number): HitCell {
    const short = { ...key, path: collapsedPath }
    const name = nameOf(short)
    const cell = cellByName.get(name)
    if (cell === undefined && cellByName.size >= maxRows + collapsedRoom) {
      dropped += 1
      return neverLive(key)
    }
    collapsed += 1
    return cell ?? add(name, short, epoch)
  }

  return {
    cell({ zone, path, status, method, cache, country }, epoch) {
      const key = { zone, path, status, method, cache, country }
      return isOpen(key) ? openCell(key, epoch) : assetCell(key, epoch)
    },
    take() {
      const cells = cellByName
      cellByName = new Map()
      openRows = 0
      return cells
    },
    get count() {
      return cellByName.size
    },
    get collapsed() {
      return collapsed
    },
    get dropped() {
      return dropped
    },
  }
}

/** A part of a text keeps the whole of it alive. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
