/** Items by a number, the least first. Taking and adding cost the logarithm of how many there are. */
export interface MinHeap<Item> {
  readonly size: number
  /** The number of the first. */
  readonly least: number | undefined
  add(number: number, item: Item): void
  take(): Item | undefined
}

interface Node<Item> {
  readonly number: number
  readonly item: Item
}

export function createMinHeap<Item>(): MinHeap<Item> {
  const nodes: Node<Item>[] = []

  function swap(one: number, other: number): void {
    const kept = nodes[one]!
    nodes[one] = nodes[other]!
    nodes[other] = kept
  }

  const isBefore = (one: number, other: number): boolean =>
    nodes[one] !== undefined && nodes[one].number < nodes[other]!.number

  function rise(from: number): void {
    for (let place = from; place > 0;) {
      const parent = (place - 1) >> 1
      if (!isBefore(place, parent)) return
      swap(place, parent)
      place = parent
    }
  }

  function sink(): void {
    for (let place = 0; ;) {
      const left = 2 * place + 1
      const child = isBefore(left + 1, left) ? left + 1 : left
      if (!isBefore(child, place)) return
      swap(place, child)
      place = child
    }
  }

  return {
    get size() {
      return nodes.length
    },
    get least() {
      return nodes[0]?.number
    },
    add(number, item) {
      rise(nodes.push({ number, item }) - 1)
    },
    take() {
      const [first] = nodes
      const last = nodes.pop()
      if (nodes.length > 0 && last !== undefined) {
        nodes[0] = last
        sink()
      }
      return first?.item
    },
  }
}
