import type { Change, Commit, ContentStore, Tree } from '../../ports/content/content-store.ts'
import type { ContentLines } from '../../ports/previews/content-lines.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import type { Actor } from '../access/actor.ts'
import { requireUnsuspended } from '../access/suspended-zones.ts'
import { requireWritableZone } from '../content/write-guards.ts'
import { ServiceError } from '../errors.ts'
import { createCommitting } from '../publishing/committing.ts'
import type { ZoneRoom } from '../publishing/room/zone-room.ts'
import { lineOf } from './preview-lines.ts'
import {
  type MergeDependencies,
  type MergePlan,
  planMerge,
  type PreviewChanges,
} from './preview-merge.ts'

export interface MergeCommitDependencies extends Pick<MergeDependencies, 'blobs'> {
  readonly content: Pick<ContentStore, 'commit'>
  readonly lines: Pick<ContentLines, 'at'>
  readonly published: Pick<Manifest, 'zone' | 'isErased'>
  readonly now: () => Date
  /** Refuses changes that a zone does not let become live, but for paths that a person has released. */
  readonly requireFit?: (
    zone: string,
    changes: readonly Change[],
    released?: ReadonlySet<string>,
  ) => Promise<void>
  /** Of what is live. */
  readonly room?: ZoneRoom | undefined
}

/** The changes of a preview, to be planned on a tree in its turn. */
export interface Merging {
  /** What the last plan came to. */
  readonly plan: MergePlan | undefined
  /** Refuses conflicts. */
  on(tree: Tree): Promise<MergePlan>
}

interface ByPerson {
  readonly actor: Actor
  readonly isWhole: boolean
  /** Paths that are to become live whatever a model takes them for. */
  readonly released: ReadonlySet<string>
}

/** Commits that bring previews and live together. */
export interface MergeCommits {
  merging(preview: PreviewRecord, changes: PreviewChanges): Merging
  /** `undefined` where nothing is left to do. It merges the preview where all of its changes are meant. */
  toLive(preview: PreviewRecord, merging: Merging, by: ByPerson): Promise<Commit | undefined>
  /** Onto a commit of live. Refused where the preview was written to since its record was read. */
  toLine(
    preview: PreviewRecord,
    merging: Merging,
    by: { readonly actor: Actor; readonly live: string },
  ): Promise<Commit | undefined>
}

/** So that no commit is made where nothing is left to do. */
class NothingLeft extends Error {
  override readonly name = 'NothingLeft'
}

export const createMergeCommits = (dependencies: MergeCommitDependencies): MergeCommits => ({
  merging: (preview, changes) => createMerging(preview, changes, dependencies),
  toLive: (preview, merging, by) => commitToLive(dependencies, { preview, merging, ...by }),
  toLine: (preview, merging, by) => commitToLine(dependencies, { preview, merging, ...by }),
})

function createMerging(
  { zone }: PreviewRecord,
  changes: PreviewChanges,
  dependencies: MergeCommitDependencies,
): Merging {
  let plan: MergePlan | undefined
  return {
    get plan() {
      return plan
    },
    async on(tree) {
      requireUnsuspended([zone], dependencies.published)
      plan = await planMerge(tree, changes, dependencies)
      if (plan.conflicts.length > 0) throw conflictOf(plan)
      return plan
    },
  }
}

interface Wanted {
  readonly preview: PreviewRecord
  readonly merging: Merging
  readonly actor: Actor
}

async function commitToLive(
  { content, published, now, requireFit, room }: MergeCommitDependencies,
  { preview, merging, actor, isWhole, released }: Wanted & ByPerson,
): Promise<Commit | undefined> {
  const { zone, name, headCommitId } = preview
  const mergedId = isWhole ? headCommitId : undefined
  const meta = {
    preview: name,
    head: headCommitId,
    ...(released.size > 0 && { released: [...released] }),
  }
  const committing = createCommitting({ content, erased: published, mergedId, meta, room, now })
  const subject = `Promote preview ${name} of ${zone}`
  return await committing
    .commit({ action: 'preview.promote', target: zone, subject, actor }, async (tree) => {
      await requireWritableZone(tree, zone)
      const { changes } = await merging.on(tree)
      if (changes.length === 0) throw new NothingLeft()
      await requireFit?.(zone, changes, released)
      return changes
    })
    .catch(undefinedIfNothing)
}

async function commitToLine(
  { lines, published, now }: MergeCommitDependencies,
  { preview, merging, actor, live }: Wanted & { readonly live: string },
): Promise<Commit | undefined> {
  const { zone, name } = preview
  const line = lines.at(lineOf(preview))
  const committing = createCommitting({
    content: {
      commit: (request, plan) => line.commit({ ...request, isOntoMerged: true }, plan),
    },
    erased: published,
    mergedId: live,
    meta: { preview: name, live },
    now,
  })
  const subject = `Update preview ${name} of ${zone}`
  return await committing.commit(
    { action: 'preview.merge', target: zone, subject, actor },
    async (tree) => {
      if ((await line.head()) !== preview.headCommitId) throw movedMeanwhile(preview)
      return (await merging.on(tree)).changes
    },
  )
}

function undefinedIfNothing(error: unknown): undefined {
  if (error instanceof ServiceError && error.cause instanceof NothingLeft) return undefined
  throw error
}

/** So many are named; the message counts all. */
const namedConflicts = 1000

const conflictOf = ({ conflicts }: MergePlan) =>
  new ServiceError(
    'PreviewConflict',
    `Paths that live and the preview both changed, or that cannot stand beside each other: ${conflicts.length}`,
    {
      context: {
        Conflicts: conflicts.slice(0, namedConflicts).map(({ path, why, live, preview, base }) => ({
          Path: path,
          Reason: why,
          Live: live ?? null,
          Preview: preview ?? null,
          Base: base ?? null,
        })),
      },
    },
  )

const movedMeanwhile = ({ name }: PreviewRecord) =>
  new ServiceError('WriteConflict', `Preview "${name}" was written to meanwhile; try again`)
