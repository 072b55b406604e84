/** What a cache weighs and for how long: `sizeBytes` as the owner reckons it. */
interface Item<V> {
  readonly value: V
  readonly sizeBytes: number
  /** Uses since the item was last looked at for eviction, at most {@link maxUses}. */
  uses: number
  readonly isMain: boolean
}

export interface S3FifoCache<V> {
  /** One look-up; never moves anything. */
  get(key: string): V | undefined
  set(key: string, value: V, sizeBytes: number): void
  delete(key: string): void
  /** Another bound from now on. */
  resize(maxBytes: number): void
  clear(): void
  readonly sizeBytes: number
  readonly count: number
}

/** `wasUsedAgain` is false for what came and went without a second use. */
type OnEvict<V> = (key: string, value: V, wasUsedAgain: boolean) => void

const maxUses = 3
/** The part of the room that new items share until they have been used again. */
const probationShare = 0.1
const maxGhosts = 100_000

/**
 * A cache bounded by bytes that one pass over many keys cannot flush: a new item must be used again
 * while on probation, or come back soon after, to enter the main part (S3-FIFO, Yang et al. 2023). An
 * item larger than the probation part is not kept. `onEvict` hears of what had to go for want of room.
 */
export function createS3FifoCache<V>(firstMaxBytes: number, onEvict?: OnEvict<V>): S3FifoCache<V> {
  const items = new Map<string, Item<V>>()
  const probation = createQueue<V>()
  const main = createQueue<V>()
  const ghosts = new Set<string>()
  let maxBytes = firstMaxBytes

  function evictTo(bound: number): void {
    while (probation.sizeBytes + main.sizeBytes > bound)
      if (probation.sizeBytes > probationOf(bound) || main.size === 0) evictFromProbation()
      else evictFromMain()
  }

  function evictFromProbation(): void {
    const [key, item] = probation.shift()
    if (item.uses > 0) return enter(main, key, { ...item, uses: 0, isMain: true })
    items.delete(key)
    remember(ghosts, key)
    onEvict?.(key, item.value, false)
  }

  function evictFromMain(): void {
    const [key, item] = main.shift()
    if (item.uses > 0) return enter(main, key, { ...item, uses: item.uses - 1 })
    items.delete(key)
    onEvict?.(key, item.value, true)
  }

  function enter(queue: Queue<V>, key: string, item: Item<V>): void {
    queue.push(key, item)
    items.set(key, item)
  }

  function remove(key: string): void {
    const item = items.get(key)
    items.delete(key)
    if (item) (item.isMain ? main : probation).remove(key, item)
  }

  return {
    get(key) {
      const item = items.get(key)
      if (item !== undefined && item.uses < maxUses) item.uses += 1
      return item?.value
    },
    set(key, value, sizeBytes) {
      const isMain = items.get(key)?.isMain === true || ghosts.delete(key)
      remove(key)
      if (sizeBytes > probationOf(maxBytes)) return
      enter(isMain ? main : probation, key, { value, sizeBytes, uses: 0, isMain })
      evictTo(maxBytes)
    },
    delete: remove,
    resize: (bytes) => evictTo((maxBytes = bytes)),
    clear() {
      for (const each of [items, probation, main, ghosts]) each.clear()
    },
    get sizeBytes() {
      return probation.sizeBytes + main.sizeBytes
    },
    get count() {
      return items.size
    },
  }
}

const probationOf = (maxBytes: number): number => Math.max(1, Math.floor(maxBytes * probationShare))

interface Queue<V> {
  readonly size: number
  readonly sizeBytes: number
  push(key: string, item: Item<V>): void
  shift(): readonly [string, Item<V>]
  remove(key: string, item: Item<V>): void
  clear(): void
}

/** First in, first out; a Map keeps the order in which keys came. */
function createQueue<V>(): Queue<V> {
  const itemByKey = new Map<string, Item<V>>()
  let sizeBytes = 0
  return {
    get size() {
      return itemByKey.size
    },
    get sizeBytes() {
      return sizeBytes
    },
    push(key, item) {
      itemByKey.set(key, item)
      sizeBytes += item.sizeBytes
    },
    shift() {
      const [first] = itemByKey
      if (first === undefined) throw new Error('The queue is empty')
      this.remove(...first)
      return first
    },
    remove(key, item) {
      if (itemByKey.delete(key)) sizeBytes -= item.sizeBytes
    },
    clear() {
      itemByKey.clear()
      sizeBytes = 0
    },
  }
}

/** Keeps the names of the most recently evicted, not their values. */
function remember(ghosts: Set<string>, key: string): void {
  ghosts.add(key)
  const [oldest] = ghosts
  if (ghosts.size > maxGhosts && oldest !== undefined) ghosts.delete(oldest)
}
