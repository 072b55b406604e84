import { grownTo } from '../../lib/collections/grown-array.ts'

interface Slot {
  key: string | undefined
  documents: Uint32Array<ArrayBuffer>
  count: number
}

/** The latest results by their queries. Their memory is used over and over. */
export interface KeptResults {
  find(key: string): Uint32Array | undefined
  /** Copies `result` in the place of the oldest. */
  keep(key: string, result: Uint32Array): void
  forget(): void
}

export function createKeptResults(slotCount: number): KeptResults {
  const slots = Array.from({ length: slotCount }, (): Slot => ({
    key: undefined,
    documents: new Uint32Array(0),
    count: 0,
  }))
  let oldest = 0

  return {
    find(key) {
      const slot = slots.find((other) => other.key === key)
      return slot?.documents.subarray(0, slot.count)
    },
    keep(key, result) {
      const slot = slots[oldest]!
      oldest = (oldest + 1) % slotCount
      slot.documents = grownTo(slot.documents, result.length)
      slot.documents.set(result)
      slot.count = result.length
      slot.key = key
    },
    forget() {
      for (const slot of slots) slot.key = undefined
    },
  }
}
