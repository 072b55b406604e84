import { createHash } from 'node:crypto'

import type { Change, Commit, Put, Tree } from '../../ports/content/content-store.ts'
import type { PushedCommit } from '../../ports/pushes/push-receiver.ts'
import { isAssetPath, clientsDirectory } from '../content/asset-path.ts'
import { createZoneGuard } from '../content/write-guards.ts'
import { ServiceError } from '../errors.ts'
import { type KeptChange, takeUp } from '../mirror/take-up.ts'
import { isAttributes } from './attribute-lines.ts'
import { type Refusal, zoneAt } from './pusher.ts'

/** What was pushed cannot stand beside what has come meanwhile. */
export class PushConflict extends Error {
  override readonly name = 'PushConflict'
  readonly refusals: readonly Refusal[]

  constructor(refusals: readonly Refusal[]) {
    super('The push is in conflict with what has come meanwhile')
    this.refusals = refusals
  }
}

/**
 * What brings a whole push into the newest tree, path by path: what only they changed is theirs. Fails with
 * {@link PushConflict} where both changed a path, since one who pushes can be asked.
 */
export async function planOfPush(
  whole: PushedCommit,
  kept: Commit,
): Promise<(tree: Tree) => Promise<readonly Change[]>> {
  const changes = keptChanges(whole, kept)
  const attributes = await attributePuts(whole)
  return async (tree) => {
    const { changes: taken, leftOut } = await takeUp(tree, changes)
    const refusals = [...leftOut, ...(await closedZones(tree, changes))]
    if (refusals.length > 0) throw new PushConflict(refusals)
    return [...taken, ...attributes]
  }
}

/** Deletions first. */
export function keptChanges({ differences }: PushedCommit, kept: Commit): readonly KeptChange[] {
  const putByPath = new Map(
    kept.changes.flatMap((change) => (change.kind === 'put' ? [[change.path, change]] : [])),
  )
  const changes = differences
    .filter(({ path, after }) => after === undefined || !isAttributes(path))
    .map(({ path, before, after }): KeptChange => {
      const put = putByPath.get(path)
      const isSeen = !isAttributes(path)
      return {
        path,
        before: isSeen ? before : undefined,
        common: isSeen ? before : undefined,
        after: after && {
          ...after,
          contentType: put?.contentType,
          keep: async () => put?.blob,
        },
        blob: after && put?.blob,
      }
    })
  return [...changes.filter(isGoing), ...changes.filter((change) => !isGoing(change))]
}

const isGoing = ({ after }: KeptChange) => after === undefined

/** Nobody sees attributes in a tree, so there is nothing that they could take the place of. */
async function attributePuts({ differences }: PushedCommit): Promise<readonly Put[]> {
  const puts: Put[] = []
  for (const { path, after } of differences) {
    if (after === undefined || !isAttributes(path)) continue
    const bytes = await after.read()
    const sha256 = createHash('sha256').update(bytes).digest('hex')
    puts.push({ kind: 'put', path, blob: { sha256, sizeBytes: bytes.length }, bytes })
  }
  return puts
}

/** Zones that were suspended or ended since the push was judged. */
async function closedZones(
  tree: Tree,
  changes: readonly KeptChange[],
): Promise<readonly Refusal[]> {
  const guard = createZoneGuard(tree)
  const refusals: Refusal[] = []
  const zones = new Set<string>()
  for (const { path } of changes) {
    const zone = zoneAt(path)
    const isFile = isAssetPath(path.slice(clientsDirectory.length + 1))
    if (zone === undefined || !isFile || zones.has(zone)) continue
    zones.add(zone)
    try {
      await guard(zone)
    } catch (error) {
      if (!(error instanceof ServiceError)) throw error
      refusals.push({ path, why: error.message })
    }
  }
  return refusals
}
