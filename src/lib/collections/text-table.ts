/**
 * Numbers by text, for a million texts and more: of a text nothing is kept but its hash, a tenth of what a
 * `Map` keeps, so whoever has the numbers must have the texts. Texts that others choose cannot be made to
 * collide: the hash has a seed.
 */
export interface TextTable {
  readonly size: number
  /** The number of a text that was added. */
  find(text: string): number | undefined
  /** `text` must not be there, and `number` be its own: from 0 up to 2³² − 3. */
  add(text: string, number: number): void
  /** Another number for a text, which it has from now on. */
  replace(text: string, number: number): void
  /** Answers whether it was there. */
  delete(text: string): boolean
}

interface Options {
  /** The text of a number that is in the table. */
  readonly textOf: (number: number) => string
  /** A whole number that nobody outside can know. */
  readonly seed?: number
}

/** What a slot holds besides one more than a number. */
const empty = 0
const deleted = 2 ** 32 - 1
/** More than so great a part of the slots is never taken, be it by what was deleted. */
const fullShare = 0.7
/** After it has been renewed so many times as many would fit. */
const roomShare = 1.4
const firstSlots = 16

export function createTextTable({ textOf, seed = randomSeed() }: Options): TextTable {
  let slots = new Uint32Array(firstSlots)
  let hashes = new Uint32Array(firstSlots)
  let size = 0
  let taken = 0

  /** The slot of a text, or the empty one where looking for it ends. */
  function slotOf(text: string, hash: number): number {
    const mask = slots.length - 1
    let slot = hash & mask
    for (; slots[slot] !== empty; slot = (slot + 1) & mask)
      if (slots[slot] !== deleted && hashes[slot] === hash && textOf(slots[slot]! - 1) === text)
        break
    return slot
  }

  function put(number: number, hash: number): void {
    const mask = slots.length - 1
    let slot = hash & mask
    while (slots[slot] !== empty) slot = (slot + 1) & mask
    slots[slot] = number + 1
    hashes[slot] = hash
  }

  /** Takes the texts over into as many slots as they need; what was deleted is left behind. */
  function renew(): void {
    const [formerSlots, formerHashes] = [slots, hashes]
    let length = firstSlots
    while ((size + 1) * roomShare > length * fullShare) length *= 2
    slots = new Uint32Array(length)
    hashes = new Uint32Array(length)
    taken = size
    for (let slot = 0; slot < formerSlots.length; slot += 1) {
      const held = formerSlots[slot]!
      if (held !== empty && held !== deleted) put(held - 1, formerHashes[slot]!)
    }
  }

  return {
    get size() {
      return size
    },
    find(text) {
      const held = slots[slotOf(text, hashOf(text, seed))]!
      return held === empty ? undefined : held - 1
    },
    add(text, number) {
      if (taken + 1 > slots.length * fullShare) renew()
      put(number, hashOf(text, seed))
      size += 1
      taken += 1
    },
    replace(text, number) {
      slots[slotOf(text, hashOf(text, seed))] = number + 1
    },
    delete(text) {
      const slot = slotOf(text, hashOf(text, seed))
      if (slots[slot] === empty) return false
      slots[slot] = deleted
      size -= 1
      return true
    },
  }
}

/** Each character is mixed into all bits before the next, so that no suffix can make up for a difference. */
function hashOf(text: string, seed: number): number {
  let hash = seed
  for (let at = 0; at < text.length; at += 1) {
    hash = Math.imul(hash ^ text.charCodeAt(at), 0x5bd1e995)
    hash ^= hash >>> 15
  }
  hash = Math.imul(hash ^ (hash >>> 13), 0x85ebca6b)
  return (hash ^ (hash >>> 16)) >>> 0
}

const randomSeed = (): number => crypto.getRandomValues(new Uint32Array(1))[0]!
