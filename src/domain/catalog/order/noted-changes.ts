/** Changes in the order they came, each a document that was added or removed. */
export interface NotedChanges {
  /** The number of the next change; numbers only grow. */
  readonly end: number
  add(document: number): void
  remove(document: number): void
  /** Tells those from number `start` up to, not including, `end`. None of them may be forgotten. */
  forEach(start: number, end: number, take: TakeChange): void
  /** Nobody will ask for those before `start` any more. */
  forget(start: number): void
}

export type TakeChange = (document: number, isAdded: boolean) => void

/** So many that are not needed any more may stay: to move the others up costs more than to keep them. */
const toleratedChanges = 4_096

/** One list for all orders: a note costs the same however many there are. */
export function createNotedChanges(): NotedChanges {
  /** A document twice over, and one more where it was added. */
  let notes: number[] = []
  /** The number of the first note. */
  let first = 0
  return {
    get end() {
      return first + notes.length
    },
    add: (document) => void notes.push(document * 2 + 1),
    remove: (document) => void notes.push(document * 2),
    forEach(start, end, take) {
      for (let place = start - first; place < end - first; place += 1) {
        const note = notes[place]!
        take(Math.floor(note / 2), note % 2 === 1)
      }
    },
    forget(start) {
      const count = start - first
      if (count < notes.length && count < toleratedChanges) return
      notes = notes.slice(count)
      first = start
    },
  }
}
