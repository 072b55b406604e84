import { takeTurns } from '../../../lib/async/turns.ts'
import { compareByBytes } from '../../../lib/text/byte-order.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'

/** Assets by their paths, of which some show as they were while they change behind. */
export interface HeldAssets extends Assets {
  /** The assets of a zone whose time is over some day, in no order. */
  expiring(zone: string): Iterable<AssetRecord>
  /** These show what they are now until {@link release}, whatever becomes of them. Others have turns meanwhile. */
  hold(paths: Iterable<string>): Promise<void>
  release(): void
}

interface Assets {
  find(path: string): AssetRecord | undefined
  /** In the order of paths, as what follows. */
  below(directory: string): readonly AssetRecord[]
  startingWith(text: string): readonly AssetRecord[]
}

interface Behind extends Assets {
  expiring(zone: string): Iterable<AssetRecord>
}

const pathsPerTurn = 2_000

export function createHeldAssets(behind: () => Behind): HeldAssets {
  let formerByPath: Map<string, AssetRecord | undefined> | undefined

  /** What is there of `now`, and what was of the others that `isMeant` takes. */
  function shown(
    now: Iterable<AssetRecord>,
    isMeant: (former: AssetRecord) => boolean,
  ): AssetRecord[] {
    const all = [...now].filter(({ path }) => formerByPath?.has(path) !== true)
    for (const former of formerByPath?.values() ?? [])
      if (former !== undefined && isMeant(former)) all.push(former)
    return all
  }

  const inOrder = (now: readonly AssetRecord[], start: string): readonly AssetRecord[] =>
    formerByPath === undefined
      ? now
      : shown(now, ({ path }) => path.startsWith(start)).sort((one, other) =>
          compareByBytes(one.path, other.path),
        )

  return {
    find: (path) =>
      formerByPath?.has(path) === true ? formerByPath.get(path) : behind().find(path),
    below: (directory) => inOrder(behind().below(directory), `${directory}/`),
    startingWith: (text) => inOrder(behind().startingWith(text), text),
    expiring: (name) =>
      formerByPath === undefined
        ? behind().expiring(name)
        : shown(
            behind().expiring(name),
            ({ zone, metadata }) => zone === name && metadata?.expiresAt !== undefined,
          ),
    async hold(paths) {
      const turns = takeTurns(pathsPerTurn)
      // What is held already stays what it was.
      const formers = new Map(formerByPath)
      for (const path of paths) {
        if (!formers.has(path)) formers.set(path, behind().find(path))
        await turns.after(1)
      }
      formerByPath = formers
    },
    release() {
      formerByPath = undefined
    },
  }
}
