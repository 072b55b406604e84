import { grownTo } from '../../../lib/collections/grown-array.ts'

/**
 * Lists of rows by number. There may be as many lists as rows, for most names have a word of their own: a
 * list of one row takes eight bytes, and a row of a longer one about five.
 */
export interface RowLists {
  /** A view: it is as the list was, or is, once something has been added. */
  of(list: number): Uint32Array
  /** At the end, whatever is there. */
  append(list: number, row: number): void
  /** In its place in a list that is in order; where it is there already nothing is done. */
  insert(list: number, row: number): void
}

const none = new Uint32Array(0)

export function createRowLists(): RowLists {
  /** By list. */
  let counts = new Uint32Array(0)
  /** By list: the row of one that has no more. */
  let onlyRows = new Uint32Array(0)
  const longLists = new Map<number, Uint32Array<ArrayBuffer>>()

  function of(list: number): Uint32Array<ArrayBuffer> {
    const count = counts[list] ?? 0
    if (count === 0) return none
    return count === 1 ? onlyRows.subarray(list, list + 1) : longLists.get(list)!.subarray(0, count)
  }

  /** Opens a gap at `place`, which is not beyond the end. */
  function put(list: number, place: number, row: number): void {
    counts = grownTo(counts, list + 1)
    onlyRows = grownTo(onlyRows, list + 1)
    const count = counts[list]!
    counts[list] = count + 1
    if (count === 0) {
      onlyRows[list] = row
      return
    }
    const rows = withRoom(list, count)
    rows.copyWithin(place + 1, place, count)
    rows[place] = row
  }

  function withRoom(list: number, count: number): Uint32Array<ArrayBuffer> {
    const former = count === 1 ? onlyRows.slice(list, list + 1) : longLists.get(list)!
    const rows = grownTo(former, count + 1)
    if (rows !== longLists.get(list)) longLists.set(list, rows)
    return rows
  }

  return {
    of,
    append: (list, row) => put(list, counts[list] ?? 0, row),
    insert(list, row) {
      const rows = of(list)
      // At the end mostly; what is read in an image may be known long after others are.
      let place = rows.length
      while (place > 0 && rows[place - 1]! > row) place -= 1
      if (rows[place - 1] !== row) put(list, place, row)
    },
  }
}
