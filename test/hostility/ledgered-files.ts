import { absent, Ledger, type State, stateOf } from '../support/ledger.ts'
import type { Random } from '../support/random.ts'

/** How files are looked at: as they are stored, listed and delivered. */
export interface Views {
  /** `undefined` where there is none. */
  stored(path: string): Promise<Uint8Array | undefined>
  delivered(path: string): Promise<Uint8Array | undefined>
  /** The sizes of all files by path. */
  listed(): Promise<ReadonlyMap<string, number>>
}

/** What a request would leave of each path: bytes, or nothing. */
export type Changes = ReadonlyMap<string, Uint8Array | undefined>

/** What became of a request. */
export type Outcome = 'done' | 'refused' | 'unknown'

/** Files that one tenant alone may change, and what it was told of each: the oracle. */
export interface LedgeredFiles {
  /** So many paths that no request is about now, held until they are settled; fewer where there are no more. */
  hold(count: number, random: Random): readonly string[]
  /** Whether it was free; it is held now. */
  holdThis(path: string): boolean
  release(paths: readonly string[]): void
  stateOf(path: string): State
  /** As it was acknowledged; `undefined` where there is none. */
  bytesOf(path: string): Uint8Array | undefined
  ask(changes: Changes): void
  /** Gives its paths back; those of a request of which nothing is known once they have been compared. */
  settle(changes: Changes, outcome: Outcome): void
  /** What is otherwise than it was acknowledged, a line each. Nothing may be asked meanwhile. */
  compare(views: Views): Promise<readonly string[]>
}

const fileCount = 24

export function createLedgeredFiles(directory: string): LedgeredFiles {
  const names = Array.from({ length: fileCount }, (_, index) => `${directory}/file ${index}.txt`)
  const ledgers = new Map(names.map((path) => [path, new Ledger()] as const))
  const held = new Set<string>()
  const contents = new Map<string, Uint8Array | undefined>()
  const ledgerOf = (path: string): Ledger => {
    const ledger = ledgers.get(path)
    if (ledger === undefined) throw new Error(`${path} is not in the ledger`)
    return ledger
  }
  return {
    hold(count, random) {
      const free = [...ledgers.keys()].filter((path) => !held.has(path))
      const start = random.integer(0, fileCount)
      const chosen = [...free.slice(start), ...free].slice(0, Math.min(count, free.length))
      for (const path of chosen) held.add(path)
      return [...new Set(chosen)]
    },
    holdThis(path) {
      if (held.has(path)) return false
      held.add(path)
      return true
    },
    release(paths) {
      for (const path of paths) held.delete(path)
    },
    stateOf: (path) => ledgerOf(path).stateOf(path),
    bytesOf: (path) => contents.get(path),
    ask(changes) {
      for (const [path, bytes] of changes)
        ledgerOf(path).asked(new Map([[path, stateOfFile(bytes)]]))
    },
    settle(changes, outcome) {
      if (outcome === 'unknown') return
      for (const [path, bytes] of changes) {
        if (outcome === 'done') {
          ledgerOf(path).answered()
          contents.set(path, bytes)
        } else ledgerOf(path).refused()
        held.delete(path)
      }
    },
    async compare(views) {
      const listed = await views.listed()
      const faults: string[] = []
      for (const [path, ledger] of ledgers) {
        const stored = await views.stored(path)
        contents.set(path, stored)
        faults.push(...ledger.reconcile(new Map([[path, stateOfFile(stored)]])))
        const delivered = await views.delivered(path)
        if (stateOfFile(delivered) !== stateOfFile(stored))
          faults.push(`${path}: delivered ${delivered?.length} bytes, stored are ${stored?.length}`)
        if (listed.get(path) !== stored?.length)
          faults.push(
            `${path}: listed with ${listed.get(path)} bytes, stored are ${stored?.length}`,
          )
      }
      held.clear()
      return faults
    },
  }
}

const stateOfFile = (bytes: Uint8Array | undefined): State =>
  bytes === undefined ? absent : stateOf(bytes)
