import type { PackedObject } from '../objects/pack-format.ts'
import { zoneCommitObject, zoneIdent, zoneSubject } from './zone-commit-text.ts'
import type { ZoneStep } from './zone-log.ts'

/** The newest commit of a zone's repository, and its tree. */
export interface ZoneTip {
  readonly id: string
  readonly treeId: string
}

/** What is known of commits that were pushed. */
export interface PushedCommits {
  /** The tree; `undefined` where there is no such commit. */
  treeOf(id: string): Promise<string | undefined>
  /** Whether one commit is the other, or behind it. */
  isAncestor(one: string, other: string): Promise<boolean>
}

/** What the zone's repository has for a commit. `object` is left out where the commit is there already. */
export interface TakenStep {
  readonly tip: ZoneTip
  readonly object?: PackedObject
}

interface Situation {
  /** What the repository had; `undefined` where this is its first commit. */
  readonly former: ZoneTip | undefined
  readonly step: ZoneStep
  /** What the zone has now. */
  readonly treeId: string
  readonly zone: string
}

/**
 * The next commit of a zone's repository, as a function of what it had and of what was done. `undefined`:
 * it stays as it is. What was pushed is taken as it is where it leads on from what was there and is what
 * the zone has now; else a commit merges it.
 */
export async function takeStep(
  situation: Situation,
  pushes: PushedCommits,
): Promise<TakenStep | undefined> {
  const { former, treeId, step } = situation
  const pushed = step.pushedId && (await standingOf(step.pushedId, situation, pushes))
  if (pushed === 'next') return { tip: { id: step.pushedId ?? '', treeId } }
  if (pushed === 'apart') return made(situation, [step.pushedId ?? ''])
  return former?.treeId === treeId ? undefined : made(situation, [])
}

/** How a pushed commit stands to what is there; `undefined` where nothing is to be done about it. */
async function standingOf(
  pushedId: string,
  { former, treeId }: Situation,
  pushes: PushedCommits,
): Promise<'next' | 'apart' | undefined> {
  const pushedTree = await pushes.treeOf(pushedId)
  if (pushedTree === undefined) return undefined
  if (former === undefined) return 'apart'
  if (pushedTree === treeId && (await pushes.isAncestor(former.id, pushedId))) return 'next'
  return (await pushes.isAncestor(pushedId, former.id)) ? undefined : 'apart'
}

function made({ former, step, treeId, zone }: Situation, merged: readonly string[]): TakenStep {
  const { author, committer, seconds } = step
  const object = zoneCommitObject({
    treeId,
    parentIds: [...(former === undefined ? [] : [former.id]), ...merged],
    author: zoneIdent(author, seconds),
    committer: zoneIdent(committer, seconds),
    subject: zoneSubject({ ...step, zone }),
  })
  return { tip: { id: object.id, treeId }, object }
}
