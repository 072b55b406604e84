import { LruCache } from '../../lib/collections/lru-cache.ts'
import type { Commit, ContentStore, Tree } from '../../ports/content/content-store.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import type { Actor } from '../access/actor.ts'
import { pathBelowZone } from '../content/past/zone-states.ts'
import { ServiceError } from '../errors.ts'
import { createMergeCommits, type MergeCommitDependencies } from './merge-commits.ts'
import { previewNotFound } from './preview-access.ts'
import { type BeginningDependencies, createBeginnings } from './preview-beginnings.ts'
import {
  changesOfPreview,
  type MergeDependencies,
  type MergePlan,
  planMerge,
} from './preview-merge.ts'
import type { Previews } from './previews.ts'

/** What is told of a plan: nobody needs the changes themselves for that. */
export type PromotionPlan = Omit<MergePlan, 'changes'>

/** At most some 200 bytes each. */
const rememberedPaths = 200_000

export interface PromotionRequest {
  readonly zone: string
  readonly name: string
  /** Directories or files of the zone, such as `v1/icons`; all of it where left out. */
  readonly prefixes?: readonly string[] | undefined
  /** Images, such as `v1/photos/a.jpg`, that become live though the zone holds them back. */
  readonly released?: readonly string[] | undefined
  readonly isDryRun: boolean
}

export type MergedPreview = Pick<MergePlan, 'added' | 'changed' | 'removed'> & {
  /** Absent of a dry run, and where nothing had to change. */
  readonly commitId: string | undefined
}

/** How previews become live, and live comes into them. What both changed refuses all of it. */
export interface Promotions {
  /** What a promotion would change, without refusing conflicts. */
  plan(preview: PreviewRecord): Promise<PromotionPlan>
  /**
   * Makes the preview's own changes live, in one commit that merges it. `PreviewConflict` where live has
   * changed the same otherwise; then nothing is done. The preview goes on from what is live then, where it
   * has no conflict with it besides.
   */
  promote(request: PromotionRequest, actor: Actor): Promise<MergedPreview>
  /** Brings into the preview what live has changed since. */
  update(
    request: Omit<PromotionRequest, 'prefixes' | 'released'>,
    actor: Actor,
  ): Promise<MergedPreview>
}

export interface PromotionDependencies
  extends Omit<MergeCommitDependencies, 'content'>, Omit<BeginningDependencies, 'content'> {
  readonly content: MergeDependencies['content'] &
    Pick<ContentStore, 'commit'> &
    BeginningDependencies['content'] &
    Tree
  readonly blobs: MergeDependencies['blobs']
  readonly previews: Pick<Previews, 'find'>
}

export function createPromotions(dependencies: PromotionDependencies): Promotions {
  const { book, content, liveCommitId, previews } = dependencies
  const commits = createMergeCommits(dependencies)
  const plans = createPlanMemory()
  const { begun, beginAt } = createBeginnings(dependencies)

  const ownChanges = (preview: PreviewRecord, below = [`${preview.zone}/v1`]) =>
    changesOfPreview(preview, below, dependencies)

  /** Has the preview go on from what is live now. Not where both changed something meanwhile. */
  async function follow(promoted: PreviewRecord, live: string, actor: Actor): Promise<void> {
    await beginAt(promoted, promoted.headCommitId)
    const preview = book.get(promoted)
    if (preview === undefined) return
    const merging = commits.merging(preview, await ownChanges(preview))
    await commits.toLine(preview, merging, { actor, live }).catch((error: unknown) => {
      if (!(error instanceof ServiceError)) throw error
    })
  }

  /** What live has otherwise than the preview began with: that is what comes into it. */
  async function takenOf(preview: PreviewRecord, live: string) {
    const changes = await ownChanges({ ...preview, headCommitId: live })
    const shown = await content.at(preview.headCommitId)
    if (shown === undefined) throw previewNotFound(preview.zone, preview.name)
    const { added, changed, removed } = await planMerge(shown, changes, dependencies)
    return { added, changed, removed }
  }

  return {
    async plan(given) {
      const preview = await begun(given)
      const { zone, name, baseCommitId, headCommitId } = preview
      const live = liveCommitId()
      const key = `${zone}/${name} ${baseCommitId} ${headCommitId} ${live}`
      const known = plans.get(key)
      if (known !== undefined) return known
      const made = await planMerge(content, await ownChanges(preview), dependencies)
      const { changes: _changes, ...told } = made
      // What was committed meanwhile may be in it already.
      if (liveCommitId() === live) plans.set(key, told)
      return told
    },
    async promote({ zone, name, prefixes, isDryRun, ...said }, actor) {
      const preview = await begun(previews.find(zone, name, actor))
      const below = prefixes?.map((each) => pathBelowZone(zone, each, 'Paths'))
      const merging = commits.merging(preview, await ownChanges(preview, below))
      const by = { actor, isWhole: below === undefined, released: releasedOf(zone, said) }
      if (isDryRun)
        await dependencies.requireFit?.(zone, (await merging.on(content)).changes, by.released)
      const commit = isDryRun ? undefined : await commits.toLive(preview, merging, by)
      if (commit !== undefined && by.isWhole) await follow(preview, commit.id, actor)
      return resultOf(merging.plan, commit)
    },
    async update({ zone, name, isDryRun }, actor) {
      const preview = await begun(previews.find(zone, name, actor))
      const live = liveCommitId()
      if (live === undefined) throw previewNotFound(zone, name)
      const merging = commits.merging(preview, await ownChanges(preview))
      const taken = await takenOf(preview, live)
      const isNothing = isDryRun || live === preview.baseCommitId
      if (isNothing) await merging.on(content)
      const commit = isNothing ? undefined : await commits.toLine(preview, merging, { actor, live })
      return { ...taken, commitId: commit?.id }
    },
  }
}

const releasedOf = (
  zone: string,
  { released = [] }: Pick<PromotionRequest, 'released'>,
): ReadonlySet<string> => new Set(released.map((each) => pathBelowZone(zone, each, 'Release')))

const createPlanMemory = () =>
  new LruCache<PromotionPlan>({
    maxWeight: rememberedPaths,
    weigh: ({ added, changed, removed, conflicts }) =>
      1 + added.length + changed.length + removed.length + conflicts.length,
  })

const resultOf = (plan: MergePlan | undefined, commit: Commit | undefined): MergedPreview => ({
  added: plan?.added ?? [],
  changed: plan?.changed ?? [],
  removed: plan?.removed ?? [],
  commitId: commit?.id,
})
