import { isOpen, nameOf, newCounter, type HitCounter, type HitKey } from './hit-counter.ts'

/** Counters found by their keys, for all who count. */
export interface SharedHitCounters {
  readonly collapsed: number
  readonly dropped: number
  /** The key's counter; where room is short, that of its zone, and at last one that nobody drains. */
  counter(key: HitKey): HitCounter
  /** Hands over all counters, and begins anew. */
  take(): readonly HitCounter[]
}

const maxOpenPathLength = 256
/** Room that only collapsed rows may use, so that zones stay told apart when paths no longer are. */
const collapsedRoom = 4096
const collapsedPath = ''

interface Rooms {
  readonly maxRows: number
  readonly maxOpenRows: number
}

export function createSharedHitCounters({ maxRows, maxOpenRows }: Rooms): SharedHitCounters {
  let counterByName = new Map<string, HitCounter>()
  let openRows = 0
  let collapsed = 0
  let dropped = 0

  function add(name: string, key: HitKey): HitCounter {
    const counter = newCounter(key)
    counterByName.set(name, counter)
    return counter
  }

  function assetCounter(key: HitKey): HitCounter {
    const name = nameOf(key)
    const known = counterByName.get(name)
    if (known !== undefined) return known
    return counterByName.size < maxRows ? add(name, key) : collapse(key)
  }

  /** For a path that a client may have made up: there may be a million of them. */
  function openCounter(key: HitKey): HitCounter {
    const short = { ...key, path: key.path.slice(0, maxOpenPathLength) }
    const known = counterByName.get(nameOf(short))
    if (known !== undefined) return known
    if (openRows >= maxOpenRows || counterByName.size >= maxRows) return collapse(key)
    openRows += 1
    const kept = { ...short, path: ownCopy(short.path) }
    return add(nameOf(kept), kept)
  }

  function collapse(key: HitKey): HitCounter {
    const short = { ...key, path: collapsedPath }
    const name = nameOf(short)
    const counter = counterByName.get(name)
    if (counter === undefined && counterByName.size >= maxRows + collapsedRoom) {
      dropped += 1
      return newCounter(key)
    }
    collapsed += 1
    return counter ?? add(name, short)
  }

  return {
    counter(asked) {
      const key = keyOf(asked)
      return isOpen(key) ? openCounter(key) : assetCounter(key)
    },
    take() {
      const counters = [...counterByName.values()]
      counterByName = new Map()
      openRows = 0
      return counters
    },
    get collapsed() {
      return collapsed
    },
    get dropped() {
      return dropped
    },
  }
}

/** Without what else the caller's may have. */
const keyOf = ({ isTransform, ...key }: HitKey): HitKey => ({
  zone: key.zone,
  path: key.path,
  status: key.status,
  method: key.method,
  cache: key.cache,
  country: key.country,
  ...(isTransform && { isTransform }),
})

/** A part of a text keeps the whole of it alive. */
const ownCopy = (text: string): string => Buffer.from(text).toString()
