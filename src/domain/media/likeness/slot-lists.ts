/** For each of many numbers, a list of slots in no order; all of them in two arrays. */
export interface SlotLists {
  add(list: number, slot: number): void
  remove(list: number, slot: number): void
  sizeOf(list: number): number
  /** Writes the slots of a list into `into`, from `at` on, which must have room. Answers where they end. */
  copy(list: number, into: Int32Array, at: number): number
}

/** A block is where the next one is, then slots. The first of a list alone may have room left. */
const blockSize = 8
const slotsInBlock = blockSize - 1
const none = -1
const firstBlocks = 1024

/** Slots of a list lie beside each other: reading them does not wait for one to lead to the next. */
export function createSlotLists(listCount: number): SlotLists {
  const firstBlock = new Int32Array(listCount).fill(none)
  const sizes = new Uint32Array(listCount)
  const pool = createBlocks()
  const { blocks } = pool

  const sizeOf = (list: number): number => sizes[list] ?? 0
  function placeOf(list: number, slot: number): number {
    let count = filled(sizeOf(list))
    for (let block = firstBlock[list] ?? none; block !== none; block = blocks.now[block] ?? none) {
      for (let at = block + 1; at <= block + count; at += 1) if (blocks.now[at] === slot) return at
      count = slotsInBlock
    }
    return none
  }

  return {
    sizeOf,
    add(list, slot) {
      const size = sizeOf(list)
      if (size % slotsInBlock === 0) firstBlock[list] = pool.take(firstBlock[list] ?? none)
      sizes[list] = size + 1
      blocks.now[(firstBlock[list] ?? 0) + filled(size + 1)] = slot
    },
    remove(list, slot) {
      const place = placeOf(list, slot)
      if (place === none) return
      const size = sizeOf(list)
      const block = firstBlock[list] ?? 0
      // The last one takes its place.
      blocks.now[place] = blocks.now[block + filled(size)] ?? none
      sizes[list] = size - 1
      if (filled(size) > 1) return
      firstBlock[list] = blocks.now[block] ?? none
      pool.release(block)
    },
    copy(list, into, start) {
      let at = start
      let count = filled(sizeOf(list))
      for (
        let block = firstBlock[list] ?? none;
        block !== none;
        block = blocks.now[block] ?? none
      ) {
        for (let place = block + 1; place <= block + count; place += 1) {
          into[at] = blocks.now[place] ?? none
          at += 1
        }
        count = slotsInBlock
      }
      return at
    },
  }
}

/** How many slots of the first block of a list are taken. */
const filled = (size: number): number => (size === 0 ? 0 : ((size - 1) % slotsInBlock) + 1)

function createBlocks() {
  const blocks = { now: new Int32Array(firstBlocks * blockSize) }
  let end = 0
  let free = none

  function grow(): void {
    const larger = new Int32Array(blocks.now.length * 2)
    larger.set(blocks.now)
    blocks.now = larger
  }

  return {
    blocks,
    /** A block that leads to the next one. */
    take(next: number): number {
      const at = free === none ? end : free
      if (free === none) end += blockSize
      else free = blocks.now[at] ?? none
      if (end > blocks.now.length) grow()
      blocks.now[at] = next
      return at
    },
    release(block: number): void {
      blocks.now[block] = free
      free = block
    },
  }
}
