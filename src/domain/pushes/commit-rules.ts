import { takeTurns } from '../../lib/async/turns.ts'
import type { Change, Commit } from '../../ports/content/content-store.ts'
import type { PushedCommit, ReceivedPush } from '../../ports/pushes/push-receiver.ts'
import { hasZone } from '../content/metadata/sidecar-paths.ts'
import { zoneDirectory } from '../content/zone-settings.ts'
import { createZoneGuard } from '../content/write-guards.ts'
import { collisions } from '../mirror/take-up.ts'
import type { ZoneRoom } from '../publishing/room/zone-room.ts'
import { isAttributes } from './attribute-lines.ts'
import { type PathRuleSettings, refusalOf } from './path-rules.ts'
import { type Pusher, reachesPath, type Refusal, zoneAt } from './pusher.ts'

export interface CommitRuleSettings extends PathRuleSettings {
  /** All contents of a push together, unpacked. */
  readonly maxBytes: number
  /** Refuses changes that a zone does not let become live. */
  readonly requireFit?: (changes: readonly Change[]) => Promise<void>
  /** Where there is room for what becomes more; without end where it is left out. */
  readonly room?: ZoneRoom
  readonly now: () => Date
  /** Which of the bytes, by their SHA-256, the pusher may read or has brought. */
  readonly readableBy: (pusher: Pusher, sha256s: readonly string[]) => Promise<ReadonlySet<string>>
}

/** Clocks differ. What is dated further ahead would date all that comes after it. */
const longestAheadMs = 600_000
/** A commit of thousands lets requests be answered meanwhile. */
const pathsPerTurn = 200

/** Everything about a pushed commit that no write could have done; empty where it can be taken. */
export async function refusalsOf(
  commit: PushedCommit,
  pusher: Pusher,
  { settings, push }: { readonly settings: CommitRuleSettings; readonly push: ReceivedPush },
): Promise<readonly Refusal[]> {
  const refusals: Refusal[] = commit.unfit.map(({ path, why }) => ({ path, why }))
  if (commit.committedAt.getTime() > settings.now().getTime() + longestAheadMs)
    refusals.push({ path: `commit ${commit.id.slice(0, 10)}`, why: 'it is dated in the future' })
  for (const path of commit.namedPaths)
    if (!reachesPath(pusher, path))
      refusals.push({ path, why: 'the message names it, and the token is for other zones' })
  const guard = createZoneGuard(commit.before)
  const judged = { ...settings, pusher, commit, requireWritableZone: guard }
  const turns = takeTurns(pathsPerTurn)
  for (const difference of commit.differences) {
    await turns.after(1)
    const why = await refusalOf(difference, judged)
    if (why !== undefined) refusals.push({ path: difference.path, why })
  }
  refusals.push(...(await placesTaken(commit)))
  refusals.push(...(await endedZones(commit)))
  if (pusher.zones !== undefined)
    refusals.push(...(await unreadable(commit, pusher, { settings, push })))
  return withoutRepeats(refusals)
}

const placesTaken = async ({ before, differences }: PushedCommit): Promise<readonly Refusal[]> =>
  await collisions(
    before,
    differences
      .filter((each) => each.before === undefined || each.after === undefined)
      .map(({ path, after }) => ({ path, isGone: after === undefined })),
  )

/** A zone ends by a request of its own, which also takes what was counted of it. */
async function endedZones({ after, differences }: PushedCommit): Promise<readonly Refusal[]> {
  const zones = new Set(
    differences.flatMap((each) => (each.after === undefined ? (zoneAt(each.path) ?? []) : [])),
  )
  const ended: Refusal[] = []
  for (const zone of zones)
    if (!(await hasZone(after, zone)))
      ended.push({ path: zoneDirectory(zone), why: 'that would end the zone: delete it as a zone' })
  return ended
}

/**
 * Whoever is narrowed to zones names contents that they have not brought only where those are in their
 * zones: a path would let them read what is somebody else's.
 */
async function unreadable(
  { before, differences }: PushedCommit,
  pusher: Pusher,
  { settings, push }: { readonly settings: CommitRuleSettings; readonly push: ReceivedPush },
): Promise<readonly Refusal[]> {
  const named = differences.flatMap(({ path, after }) => (after ? [{ path, ...after }] : []))
  const outside = named.flatMap((each) => each.outside?.sha256 ?? [])
  const readable = await settings.readableBy(pusher, outside)
  const foreign = named.filter((each) => each.outside === undefined && !push.has(each.contentId))
  const own = new Set<string>()
  if (foreign.length > 0)
    for (const zone of pusher.zones ?? [])
      for (const { contentId } of await before.filesBelow(zoneDirectory(zone))) own.add(contentId)
  return [
    ...foreign.filter(({ contentId }) => !own.has(contentId)),
    ...named.filter(({ outside: kept }) => kept !== undefined && !readable.has(kept.sha256)),
  ].map(({ path }) => ({ path, why: 'its bytes were not sent' }))
}

/** What the commit makes of paths that it does not change, by other attributes, is for nobody with some zones. */
export const turnedPaths = (
  { differences }: PushedCommit,
  { changes }: Pick<Commit, 'changes'>,
): readonly Refusal[] => {
  const differing = new Set(differences.map(({ path }) => path))
  const isTurning = differences.some(({ path }) => isAttributes(path))
  return changes
    .filter(({ path, kind }) => isTurning && kind === 'put' && !differing.has(path))
    .map(({ path }) => ({ path, why: 'the attributes make another file of it' }))
}

function withoutRepeats(refusals: readonly Refusal[]): readonly Refusal[] {
  const seen = new Set<string>()
  return refusals.filter(({ path }) => !seen.has(path) && seen.add(path))
}

/** How many bytes the contents have that a push brings, each once: a pack may hold a thousand times its size. */
export function unpackedBytes(commits: readonly PushedCommit[]): number {
  const sizeById = new Map<string, number>()
  for (const { differences } of commits)
    for (const { after } of differences)
      if (after !== undefined && after.outside === undefined)
        sizeById.set(after.contentId, after.sizeBytes)
  return sizeById.values().reduce((sum, size) => sum + size, 0)
}
