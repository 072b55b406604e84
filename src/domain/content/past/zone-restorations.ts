import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Change, Commit, ContentStore, Tree } from '../../../ports/content/content-store.ts'
import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import type { AssetPath } from '../asset-path.ts'
import type { Committer } from '../committer.ts'
import { requireOpenZone } from '../files/files.ts'
import { requireWritableZone } from '../write-guards.ts'
import { planRestoration, type RestorationPlan } from './plan-restoration.ts'
import { commitOfState, pathBelowZone, publishedZone, type ZoneState } from './zone-states.ts'

export interface ZoneRestoration {
  readonly zone: string
  readonly to: ZoneState
  /** A directory or a file of the zone, such as `v1/icons`; all of it where left out. */
  readonly prefix?: string | undefined
  readonly isDryRun: boolean
}

/** What a restoration comes to, or would. */
export interface RestoredZone {
  /** The commit whose files are there again. */
  readonly from: CommitPoint
  /** The newest commit before; with it the restoration can be taken back. */
  readonly before: string | undefined
  /** Absent of a dry run, and where nothing had to change. */
  readonly commitId: string | undefined
  readonly added: readonly AssetPath[]
  readonly changed: readonly AssetPath[]
  readonly removed: readonly AssetPath[]
}

/** Puts a zone, or a directory of it, back to what a commit had. */
export interface ZoneRestorations {
  /**
   * One commit that has the old files and what was known of them, by their content ids: no byte is moved.
   * It is worked out on the newest tree, so what was written meanwhile is in its history. The settings of
   * the zone and the rules of its fields stay as they are.
   */
  apply(request: ZoneRestoration, actor: Actor): Promise<RestoredZone>
}

interface Dependencies {
  readonly content: Pick<
    ContentStore,
    | 'at'
    | 'buildsOn'
    | 'children'
    | 'commitAsOf'
    | 'commitNamed'
    | 'declaredPaths'
    | 'declaredTypes'
    | 'differing'
    | 'filesBelow'
    | 'find'
    | 'head'
    | 'read'
    | 'spelling'
  >
  readonly published: Pick<Manifest, 'zone'> & Parameters<typeof planRestoration>[1]['published']
  readonly publisher: Committer
  readonly blobs: Pick<BlobStore, 'stat'>
}

export function createZoneRestorations(dependencies: Dependencies): ZoneRestorations {
  const { content, published, publisher } = dependencies

  return {
    async apply(request, actor) {
      const { zone, prefix, isDryRun } = request
      requireZone(actor, zone)
      requireOpenZone(`${zone}/v1/` as AssetPath, actor, published)
      const from = await commitOfState(publishedZone(zone, published), request.to, content)
      const wanted = { zone, below: pathBelowZone(zone, prefix), from }
      // What is found out now need not be found out in the commit's turn, where others wait for it.
      let plan = await planRestoration(content, { ...wanted, ...dependencies })
      await requireWritableZone(content, zone)
      const planOn = async (tree: Tree): Promise<readonly Change[]> => {
        await requireWritableZone(tree, zone)
        plan = await planRestoration(tree, { ...wanted, ...dependencies, former: plan })
        return plan.changes
      }
      const commit = isDryRun
        ? undefined
        : await publisher.commit({ ...deedOf(wanted, plan), actor }, planOn)
      const before = commit === undefined ? await content.head() : commit.parentId
      return resultOf({ from, before, commit, plan })
    },
  }
}

const deedOf = (
  {
    zone,
    below,
    from,
  }: { readonly zone: string; readonly below: string; readonly from: CommitPoint },
  { added, changed, removed }: RestorationPlan,
) => ({
  action: 'zone.restore',
  target: zone,
  subject: `Restore ${below} as of ${from.id.slice(0, 12)}`,
  meta: {
    commit: from.id,
    path: below,
    added: added.length,
    changed: changed.length,
    removed: removed.length,
  },
})

const resultOf = ({
  from,
  before,
  commit,
  plan: { added, changed, removed },
}: {
  readonly from: CommitPoint
  readonly before: string | undefined
  readonly commit: Commit | undefined
  readonly plan: RestorationPlan
}): RestoredZone => ({ from, before, commitId: commit?.id, added, changed, removed })
