/** Items that wait, each once: groups have their turn one after another, however many each of them has waiting. */
export class RotatingQueue<Item> {
  /** In the order of their turns. */
  readonly #itemsByGroup = new Map<string, Map<string, Item>>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get groupCount(): number {
    return this.#itemsByGroup.size
  }

  /** How many of a group wait. */
  sizeOf(group: string): number {
    return this.#itemsByGroup.get(group)?.size ?? 0
  }

  /** What waits under that key in the group keeps its place, and is replaced. */
  put(group: string, key: string, item: Item): void {
    const items = this.#itemsByGroup.get(group) ?? new Map<string, Item>()
    this.#itemsByGroup.set(group, items)
    const before = items.size
    items.set(key, item)
    this.#size += items.size - before
  }

  /** The oldest of the group whose turn it is. */
  take(): Item | undefined {
    const [first] = this.#itemsByGroup
    if (first === undefined) return undefined
    const [group, items] = first
    // Its next turn is after everybody else's.
    this.#itemsByGroup.delete(group)
    this.#itemsByGroup.set(group, items)
    return this.#takeOldest(group, items)
  }

  /** Takes the oldest of who has most waiting; steps through the groups. */
  takeFromLargest(): Item | undefined {
    let largest: readonly [string, Map<string, Item>] | undefined
    for (const each of this.#itemsByGroup)
      if (each[1].size > (largest?.[1].size ?? 0)) largest = each
    return largest && this.#takeOldest(...largest)
  }

  #takeOldest(group: string, items: Map<string, Item>): Item | undefined {
    const [oldest] = items
    if (oldest === undefined) return undefined
    const [key, item] = oldest
    items.delete(key)
    if (items.size === 0) this.#itemsByGroup.delete(group)
    this.#size -= 1
    return item
  }
}
