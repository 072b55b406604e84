import type { Change, ContentStore, Move, Tree } from '../../../ports/content/content-store.ts'
import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, requireAllZones } from '../../access/actor.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { type AssetPath, repositoryPath, zoneOf } from '../asset-path.ts'
import type { ChangeRequest, Committer } from '../committer.ts'
import { withMoveRedirects } from '../rules/redirects/move-redirects.ts'
import { createFaults } from './edit-faults.ts'
import type { EditedFiles, FileEdit } from './file-edit.ts'
import { requireOpenZone } from './files.ts'
import { type EditPlan, planEdits } from './plan-edits.ts'

export interface EditRequest {
  /** Not empty. */
  readonly edits: readonly FileEdit[]
  /** Leaves 301 rules for what is moved; for actors who reach all zones, since these share the rules. */
  readonly redirect?: boolean
  /** A file that the paths of deleted files lead to from then on; for the same actors. */
  readonly redirectTo?: AssetPath | undefined
  /** Checks everything and changes nothing. */
  readonly isDryRun: boolean
}

export interface AppliedEdits {
  /** Absent of a dry run. */
  readonly commitId: string | undefined
  /** One for each edit, in their order. */
  readonly edited: readonly EditedFiles[]
}

/** Copies, moves and deletes many files at once; no byte of them is read or written. */
export interface FileEdits {
  /** All of them in one commit, or none; what is known of the files goes where they go. */
  apply(request: EditRequest, actor: Actor): Promise<AppliedEdits>
}

interface Dependencies {
  readonly content: Pick<
    ContentStore,
    'at' | 'children' | 'filesBelow' | 'find' | 'read' | 'spelling'
  >
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  /** The newest commit that `published` shows. */
  readonly publishedCommitId: () => string | undefined
  readonly publisher: Committer
  readonly blobs: Pick<BlobStore, 'receive'>
}

export const createFileEdits = (dependencies: Dependencies): FileEdits => ({
  async apply(request, actor) {
    const { edits, isDryRun, redirect = false, redirectTo } = request
    const { content, published, publisher } = dependencies
    await requireOpenZones(edits, actor, published)
    if (redirect || redirectTo !== undefined) requireAllZones(actor)
    let plan: EditPlan | undefined
    const planOn = async (tree: Tree) => {
      plan = await planWith(tree, request, dependencies)
      return plan.changes
    }
    if (isDryRun) await planOn(content)
    const commit = isDryRun
      ? undefined
      : await publisher.commit({ ...deedOf(edits), actor }, planOn)
    return { commitId: commit?.id, edited: plan?.edited ?? [] }
  },
})

async function planWith(
  tree: Tree,
  { edits, redirect = false, redirectTo }: EditRequest,
  { content, published, publishedCommitId, blobs }: Dependencies,
): Promise<EditPlan> {
  const shown = { asset: published.asset, commitId: publishedCommitId }
  const plan = await planEdits(tree, edits, { content, published: shown })
  if (redirectTo !== undefined) await requireTarget(tree, redirectTo, edits)
  else if (!redirect) return plan
  const rules = await redirectsPut(tree, { ...plan, redirectTo }, blobs)
  return { ...plan, changes: [...plan.changes, rules] }
}

/** Whoever is led there must find something. */
async function requireTarget(
  tree: Tree,
  target: AssetPath,
  edits: readonly FileEdit[],
): Promise<void> {
  if ((await tree.find(repositoryPath(target))) === undefined)
    throw new ServiceError('AssetNotFound', `There is no file ${target}`, { target: 'RedirectTo' })
  if (edits.some(({ from }) => from === target))
    throw invalid('RedirectTo', 'must not be one of Paths')
  if (edits.some((edit) => edit.kind === 'delete' && edit.isDirectory))
    throw invalid('Paths', 'must be files where RedirectTo is given')
}

async function redirectsPut(
  tree: Tree,
  { edited, arrivals, redirectTo }: EditPlan & Pick<EditRequest, 'redirectTo'>,
  blobs: Pick<BlobStore, 'receive'>,
): Promise<Change> {
  const moves = edited.flatMap(({ from, to = redirectTo, isDirectory }) =>
    to === undefined ? [] : [{ from, to, isDirectory }],
  )
  const places = redirectTo === undefined ? arrivals : [...arrivals, redirectTo]
  const before = new TextDecoder().decode(await tree.read(redirectsFile))
  const after = withMoveRedirects(before, moves, places)
  await using incoming = await blobs.receive(new TextEncoder().encode(after))
  return { kind: 'put', path: redirectsFile, blob: await incoming.keep() }
}

const redirectsFile = '_redirects'

async function requireOpenZones(
  edits: readonly FileEdit[],
  actor: Actor,
  published: Pick<Manifest, 'zone'>,
): Promise<void> {
  const faults = createFaults(edits.length)
  for (const { fields, ...edit } of edits) {
    await faults.noting(fields.from, async () => requireOpenZone(edit.from, actor, published))
    if (edit.kind === 'delete') continue
    await faults.noting(fields.from, async () => requireOpenZone(edit.to, actor, published))
  }
  faults.throwAny()
}

type Deed = Pick<ChangeRequest, 'action' | 'target' | 'subject' | 'meta' | 'moves'>

/** How the commit and the audit log name it. */
function deedOf(edits: readonly FileEdit[]): Deed {
  const [edit] = edits
  if (edit === undefined) throw new Error('there is nothing to do')
  const action = `storage.${edit.kind}`
  const moves = edits.flatMap(moveOf)
  const title = titles[edit.kind]
  if (edits.length > 1)
    return {
      action,
      target: zonesOf(edits).join(','),
      subject: `${title} ${edits.length} paths of ${zonesOf(edits).join(', ')}`,
      meta: { paths: edits.map(({ from }) => from), ...(toOf(edit) && { to: toOf(edit) }) },
      moves,
    }
  const to = toOf(edit)
  return {
    action,
    target: edit.from,
    subject: `${title} ${edit.from}${to === undefined ? '' : ` to ${to}`}`,
    ...(to !== undefined && { meta: { to } }),
    moves,
  }
}

const titles: Readonly<Record<FileEdit['kind'], string>> = {
  copy: 'Copy',
  move: 'Move',
  delete: 'Delete',
}

const toOf = (edit: FileEdit): AssetPath | undefined =>
  edit.kind === 'delete' ? undefined : edit.to

const moveOf = (edit: FileEdit): Move[] =>
  edit.kind === 'move' ? [{ from: repositoryPath(edit.from), to: repositoryPath(edit.to) }] : []

const zonesOf = (edits: readonly FileEdit[]): readonly string[] => [
  ...new Set(
    edits
      .flatMap((edit) => (edit.kind === 'delete' ? [edit.from] : [edit.from, edit.to]))
      .map(zoneOf),
  ),
]
