import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  Change,
  Commit,
  ContentStore,
  Move,
  Tree,
  TreeDifference,
} from '../../../ports/content/content-store.ts'
import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, reaches } from '../../access/actor.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { type AssetPath, clientsDirectory } from '../asset-path.ts'
import type { Committer } from '../committer.ts'
import { maxEditedFiles } from '../files/file-edit.ts'
import { requireOpenZone } from '../files/files.ts'
import { withoutLeftRedirects } from '../rules/redirects/move-redirects.ts'
import { pathConflict, requireWritableZone } from '../write-guards.ts'
import { isOfZone } from './pin-source.ts'
import { publishedZone } from './zone-states.ts'
import { isMeant, planRestoration, type RestorationPlan } from './plan-restoration.ts'

/** What was taken back, or would be. */
export interface ReversedCommit {
  /** Absent of a dry run, and where nothing had to change. */
  readonly commitId: string | undefined
  readonly added: readonly AssetPath[]
  readonly changed: readonly AssetPath[]
  readonly removed: readonly AssetPath[]
}

/** Takes back what one commit did to files and to what is known of them. */
export interface CommitReversals {
  /**
   * One commit more, that can be taken back itself. Refuses where one of the files was changed since, and
   * commits that changed more than files.
   */
  apply(
    request: { readonly commit: string; readonly isDryRun: boolean },
    actor: Actor,
  ): Promise<ReversedCommit>
}

interface Dependencies {
  readonly content: Pick<
    ContentStore,
    | 'at'
    | 'buildsOn'
    | 'commitAsOf'
    | 'commitNamed'
    | 'declaredPaths'
    | 'declaredTypes'
    | 'differing'
    | 'find'
    | 'history'
    | 'read'
    | 'spelling'
    | 'children'
    | 'filesBelow'
  >
  readonly published: Pick<Manifest, 'zone'> & Parameters<typeof planRestoration>[1]['published']
  readonly publisher: Committer
  readonly blobs: Pick<BlobStore, 'receive' | 'stat'>
}

export const createCommitReversals = (dependencies: Dependencies): CommitReversals => ({
  async apply({ commit: id, isDryRun }, actor) {
    const { content, publisher } = dependencies
    const done = await deedToReverse(id, actor, dependencies)
    let plans: readonly RestorationPlan[] = []
    const planOn = async (tree: Tree): Promise<readonly Change[]> => {
      plans = await plansOn(tree, done, dependencies)
      const changes = plans.flatMap((plan) => plan.changes)
      return changes.length === 0 ? [] : [...changes, ...(await rulesOn(tree, done, dependencies))]
    }
    if (isDryRun) await planOn(content)
    const commit = isDryRun ? undefined : await publisher.commit({ ...deedOf(done), actor }, planOn)
    return {
      commitId: commit?.id,
      added: plans.flatMap(({ added }) => added),
      changed: plans.flatMap(({ changed }) => changed),
      removed: plans.flatMap(({ removed }) => removed),
    }
  },
})

/** A commit, what it changed, and what was there before. */
interface Deed {
  readonly commit: Omit<Commit, 'changes'>
  readonly before: CommitPoint
  /** By zone: the paths of the repository that it changed. */
  readonly pathsByZone: ReadonlyMap<string, ReadonlySet<string>>
  readonly mayChangeRules: boolean
}

async function deedToReverse(
  text: string,
  actor: Actor,
  { content, published }: Dependencies,
): Promise<Deed> {
  const { commit, before } = await commitAndParent(text, content)
  const tree = await content.at(before.id)
  const files = tree === undefined ? [] : await content.differing(tree, commit.id, clientsDirectory)
  // Of zones that the actor does not reach there is no commit.
  const isReached = files.every(({ path }) => reaches(actor, zoneAt(path)))
  if (files.length === 0 || !isReached) throw noSuchCommit(text)
  const pathsByZone = byZone(files)
  for (const zone of pathsByZone.keys()) {
    requireOpenZone(`${zone}/v1/` as AssetPath, actor, published)
    if (!(await isOfZone(publishedZone(zone, published), before, content)))
      throw invalid('Commit', `made the zone "${zone}"; delete the zone instead`)
  }
  requireFewFiles(files.length)
  return { commit, before, pathsByZone, mayChangeRules: actor.zones === undefined }
}

async function commitAndParent(
  text: string,
  content: Dependencies['content'],
): Promise<Pick<Deed, 'commit' | 'before'>> {
  const point = await content.commitNamed(text)
  if (point === 'ambiguous') throw invalid('Commit', 'names several commits: write more digits')
  const [commit] = point === undefined ? [] : await content.history('', 1, { until: point.id })
  const before = commit?.parentId && (await content.commitNamed(commit.parentId))
  if (commit === undefined || typeof before !== 'object') throw noSuchCommit(text)
  return { commit, before }
}

function byZone(files: readonly TreeDifference[]): ReadonlyMap<string, ReadonlySet<string>> {
  const pathsByZone = new Map<string, Set<string>>()
  for (const { path } of files) {
    const zone = zoneAt(path)
    if (!isMeant(path, areaOf(zone)))
      throw invalid('Commit', 'changed more than files, such as the settings of a zone')
    const paths = pathsByZone.get(zone) ?? new Set()
    pathsByZone.set(zone, paths.add(path))
  }
  return pathsByZone
}

const zoneAt = (path: string): string => path.split('/', 2)[1] ?? ''

const areaOf = (zone: string) => ({ zone, below: `${zone}/v1` })

function requireFewFiles(count: number): void {
  // A move is one file that goes, and one that comes, each maybe with what is known of it.
  if (count > maxEditedFiles * 4)
    throw invalid('Commit', `changed ${count} files; go back to the commit before it instead`)
}

async function plansOn(
  tree: Tree,
  { commit, before, pathsByZone }: Deed,
  dependencies: Dependencies,
): Promise<readonly RestorationPlan[]> {
  const plans: RestorationPlan[] = []
  for (const [zone, paths] of pathsByZone) {
    await requireWritableZone(tree, zone)
    await requireUnchanged(tree, { zone, paths, commit, before }, dependencies)
    const wanted = { ...areaOf(zone), from: before, paths, ...dependencies }
    plans.push(await planRestoration(tree, wanted))
  }
  return plans
}

interface Area extends Pick<Deed, 'commit' | 'before'> {
  readonly zone: string
  readonly paths: ReadonlySet<string>
}

/** What somebody changed since is not overwritten; what is as it was already needs nothing. */
async function requireUnchanged(
  tree: Tree,
  { zone, paths, commit, before }: Area,
  { content }: Dependencies,
): Promise<void> {
  const directory = `${clientsDirectory}/${zone}`
  const changed = await content.differing(tree, commit.id, directory)
  const since = changed.filter(({ path }) => paths.has(path))
  if (since.length === 0) return
  const undone = await content.differing(tree, before.id, directory)
  const pending = new Set(undone.map(({ path }) => path))
  const other = since.find(({ path }) => pending.has(path))
  if (other !== undefined)
    throw pathConflict(
      other.path.slice(clientsDirectory.length + 1),
      'was changed again since; take that back first',
    )
}

const redirectsFile = '_redirects'

/** Redirects that the commit left would lead away from where the files are again. */
async function rulesOn(
  tree: Tree,
  { commit, before, pathsByZone, mayChangeRules }: Deed,
  { content, blobs }: Dependencies,
): Promise<readonly Change[]> {
  if (!mayChangeRules) return []
  const [former, then] = [await content.at(before.id), await content.at(commit.id)]
  if (former === undefined || then === undefined) return []
  const read = async (state: Tree) => new TextDecoder().decode(await state.read(redirectsFile))
  const states = { now: await read(tree), after: await read(then), before: await read(former) }
  const moves = (commit.request.moves ?? []).map(({ from }) => ({ from: assetPathOf(from) }))
  const paths = [...pathsByZone.values()].flatMap((each) => [...each].map(assetPathOf))
  const kept = withoutLeftRedirects(states, { moves, paths })
  if (kept === states.now) return []
  if (!(await former.find(redirectsFile)) && kept === '')
    return [{ kind: 'delete', path: redirectsFile }]
  await using incoming = await blobs.receive(new TextEncoder().encode(kept))
  return [{ kind: 'put', path: redirectsFile, blob: await incoming.keep() }]
}

const assetPathOf = (path: string): AssetPath =>
  path.slice(clientsDirectory.length + 1) as AssetPath

function deedOf({ commit: { id, request }, pathsByZone }: Deed) {
  const moves = (request.moves ?? []).map(({ from, to }): Move => ({ from: to, to: from }))
  return {
    action: 'storage.undo',
    target: [...pathsByZone.keys()].join(','),
    subject: `Undo ${request.subject.slice(0, maxSubject)}`,
    meta: { commit: id },
    ...(moves.length > 0 && { moves: moves.toReversed() }),
  }
}

const maxSubject = 200

const noSuchCommit = (text: string) =>
  new ServiceError('NotFound', `There is no commit "${text}" that changed files`, {
    target: 'Commit',
  })
