import type { PastAssets } from '../../../ports/content/past-assets.ts'
import type { AssetMove } from '../../../ports/records/past-asset.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, reaches } from '../../access/actor.ts'
import { type AssetPath, isAssetPath, zoneOf } from '../asset-path.ts'
import { movedPathFinder } from './moved-path.ts'

export interface FormerName {
  readonly path: AssetPath
  /** When it was moved away from there. */
  readonly until: Date
}

/** The names that a file had before it was moved. */
export interface FormerNames {
  /** The newest first, as far as the actor reaches. */
  of(path: AssetPath, actor: Actor): Promise<readonly FormerName[]>
}

interface Dependencies {
  readonly past: Pick<PastAssets, 'movesTo'>
  readonly published: Pick<Manifest, 'asset'>
}

const maxNames = 32

export const createFormerNames = ({ past, published }: Dependencies): FormerNames => ({
  async of(path, actor) {
    const names: FormerName[] = []
    const used = new Set<AssetMove>()
    // A file that came later to where a directory was moved to was never moved itself.
    const since = published.asset(path)?.createdAt ?? new Date(0)
    for (let name = path; names.length < maxNames;) {
      const until = names.at(-1)?.until ?? lastMoment
      const move = (await past.movesTo(withDirectories(name))).find(
        (each) => each.movedAt >= since && each.movedAt <= until && !isUsed(each, used),
      )
      if (move === undefined) break
      const former = formerPath(name, move)
      if (former === undefined || !reaches(actor, zoneOf(former))) break
      used.add(move)
      names.push({ path: former, until: move.movedAt })
      name = former
    }
    return names
  },
})

const lastMoment = new Date(8.64e15)

function formerPath(path: AssetPath, move: AssetMove): AssetPath | undefined {
  const former = movedPathFinder([move], 'to')(path)?.path ?? ''
  return isAssetPath(former) ? former : undefined
}

/** Commits know whole seconds alone: of two moves in one second each counts once. */
const isUsed = (move: AssetMove, used: ReadonlySet<AssetMove>): boolean =>
  [...used].some(({ commitId, to }) => commitId === move.commitId && to === move.to)

/** The path and the directories above it that can be moved. */
function withDirectories(path: AssetPath): readonly string[] {
  const segments = path.split('/')
  return segments.map((_, index) => segments.slice(0, index + 1).join('/')).slice(2)
}
