import { flatMapInTurns } from '../../lib/async/in-turns.ts'
import { mapConcurrently } from '../../lib/async/map-concurrently.ts'
import { takeTurns } from '../../lib/async/turns.ts'
import type { BlobRef, BlobStore } from '../../ports/content/blob-store.ts'
import type { Change, ContentStore, Tree } from '../../ports/content/content-store.ts'
import type { PreviewRecord } from '../../ports/records/preview.ts'
import { type AssetPath, clientsDirectory, fileNameOf, isAssetPath } from '../content/asset-path.ts'
import { contentTypeOf } from '../content/media-type.ts'
import { mergeSidecars } from '../content/metadata/merge-sidecars.ts'
import { describedBy, isSidecar } from '../content/metadata/sidecar-paths.ts'
import { isMeant } from '../content/past/plan-restoration.ts'
import { zoneDirectory } from '../content/zone-settings.ts'
import { type KeptChange, type Merging, takeUp } from '../mirror/take-up.ts'
import { previewNotFound } from './preview-access.ts'

/** What a preview has otherwise than what it began with, with its bytes kept. */
export interface PreviewChanges {
  /** Deletions first. */
  readonly changes: readonly KeptChange[]
  readonly base: Tree
  readonly head: Tree
}

/** What the changes of a preview come to on a newer tree. */
export interface MergePlan {
  readonly changes: readonly Change[]
  readonly added: readonly AssetPath[]
  readonly changed: readonly AssetPath[]
  readonly removed: readonly AssetPath[]
  readonly conflicts: readonly MergeConflict[]
}

/** A path that was changed on both sides, as SHA-256s; `undefined` where there is no file. */
export interface MergeConflict {
  readonly path: string
  readonly why: string
  readonly live: string | undefined
  readonly preview: string | undefined
  readonly base: string | undefined
}

export interface MergeDependencies {
  readonly content: Pick<ContentStore, 'at' | 'declaredPaths' | 'declaredTypes' | 'differing'>
  readonly blobs: Pick<BlobStore, 'read' | 'receive'>
}

const filesUnderWay = 16
/** Thousands of files let requests be answered meanwhile. */
const filesPerTurn = 2_000

/** The commits of a preview go with it, at any moment: it is not there any more then. */
async function beginAndEnd(
  { zone, name, baseCommitId, headCommitId }: PreviewRecord,
  content: MergeDependencies['content'],
) {
  const [base, head] = await Promise.all([content.at(baseCommitId), content.at(headCommitId)])
  if (base === undefined || head === undefined) throw previewNotFound(zone, name)
  try {
    return { base, head, all: await content.differing(base, headCommitId, zoneDirectory(zone)) }
  } catch (cause) {
    throw (await content.at(headCommitId)) === undefined ? previewNotFound(zone, name) : cause
  }
}

/** Of the paths that are meant, the preview's own changes: what live did meanwhile is not looked at. */
export async function changesOfPreview(
  preview: PreviewRecord,
  below: readonly string[],
  { content }: MergeDependencies,
): Promise<PreviewChanges> {
  const { zone, baseCommitId, headCommitId } = preview
  const { base, head, all } = await beginAndEnd(preview, content)
  const isWanted = (path: string) => below.some((each) => isMeant(path, { zone, below: each }))
  const differing = await flatMapInTurns(all, filesPerTurn, (file) =>
    isWanted(file.path) ? [file] : [],
  )
  const known = new Set(differing.map(({ path }) => path))
  // What its own commits declare is known once one of them was asked about.
  await content.declaredTypes(headCommitId, [])
  const retyped = (await content.declaredPaths()) ?? new Set()
  const candidates = await flatMapInTurns(retyped, filesPerTurn, (path) =>
    isWanted(path) && !known.has(path) ? [path] : [],
  )
  const paths = [...known, ...candidates]
  const before = await content.declaredTypes(baseCommitId, paths)
  const after = await content.declaredTypes(headCommitId, paths)
  const others = await sameBytes(
    base,
    candidates.filter((path) => before.get(path) !== after.get(path)),
  )
  const kept = await mapConcurrently([...differing, ...others], filesUnderWay, async (file) => {
    const type = after.get(file.path) ?? (before.has(file.path) ? nameType(file.path) : undefined)
    return await keptChange(file, { head, type })
  })
  return {
    changes: [...kept.filter(isGoing), ...kept.filter((each) => !isGoing(each))],
    base,
    head,
  }
}

const isGoing = ({ after }: KeptChange): boolean => after === undefined

const nameType = (path: string): string => contentTypeOf(fileNameOf(path))

/** Files of which the media type alone is another. */
async function sameBytes(tree: Tree, paths: readonly string[]) {
  const found = await mapConcurrently(paths, filesUnderWay, async (path) => {
    const file = await tree.find(path)
    return file?.kind === 'file' ? [{ path, before: file.contentId, after: file.contentId }] : []
  })
  return found.flat()
}

interface Differing {
  readonly path: string
  readonly before?: string
  readonly after?: string
}

async function keptChange(
  { path, before, after }: Differing,
  { head, type }: { readonly head: Tree; readonly type: string | undefined },
): Promise<KeptChange> {
  const sides = { path, before, common: before }
  if (after === undefined) return { ...sides, after: undefined, blob: undefined }
  const found = await head.find(path)
  const blob = found?.kind === 'file' ? await found.blob() : undefined
  const content = { contentId: after, sizeBytes: blob?.sizeBytes ?? 0, contentType: type }
  return { ...sides, after: { ...content, keep: async () => blob }, blob }
}

/** What of it is to be changed in a newer tree, path by path; nothing is guessed of what both changed. */
export async function planMerge(
  tree: Tree,
  preview: PreviewChanges,
  { blobs }: Pick<MergeDependencies, 'blobs'>,
): Promise<MergePlan> {
  const merging = mergingOf(preview, blobs)
  const { changes, leftOut } = await takeUp(tree, preview.changes, merging)
  const kinds = { added: [] as AssetPath[], changed: [] as AssetPath[], removed: [] as AssetPath[] }
  const turns = takeTurns(filesPerTurn)
  for (const { kind, path } of changes) {
    await turns.after(1)
    const asset = path.slice(clientsDirectory.length + 1)
    if (!isAssetPath(asset)) continue
    const isThere = (await tree.find(path))?.kind === 'file'
    kinds[kind === 'delete' ? 'removed' : isThere ? 'changed' : 'added'].push(asset)
  }
  const conflicts = await mapConcurrently(leftOut, filesUnderWay, async ({ path, why }) => ({
    path: assetNamed(path),
    why,
    live: await sha256At(tree, path),
    preview: await sha256At(preview.head, path),
    base: await sha256At(preview.base, path),
  }))
  return { ...describedToo(kinds, changes), changes, conflicts }
}

/** An asset of which only what is known is another is changed. */
function describedToo(
  kinds: Record<'added' | 'changed' | 'removed', readonly AssetPath[]>,
  changes: readonly Change[],
) {
  const known = new Set(Object.values(kinds).flat())
  const described = changes
    .filter(({ path }) => isSidecar(path))
    .map(({ path }) => assetNamed(path))
    .filter((path): path is AssetPath => isAssetPath(path) && !known.has(path))
  return { ...kinds, changed: [...kinds.changed, ...described] }
}

/** What is known of an asset is told of under its path. */
function assetNamed(path: string): string {
  const [, zone = ''] = path.split('/')
  return describedBy(zone, path) ?? path.slice(clientsDirectory.length + 1)
}

async function sha256At(tree: Tree, path: string): Promise<string | undefined> {
  const found = await tree.find(path)
  return found?.kind === 'file' ? (await found.blob()).sha256 : undefined
}

/** What is known of an asset is merged, member by member. */
function mergingOf({ base, head }: PreviewChanges, blobs: MergeDependencies['blobs']): Merging {
  return {
    async merge({ path }, ours): Promise<BlobRef | undefined> {
      const theirs = isSidecar(path) ? await head.read(path) : undefined
      if (theirs === undefined) return undefined
      const merged = mergeSidecars({ common: await base.read(path), ours, theirs })
      if (merged === undefined) return undefined
      await using incoming = await blobs.receive(merged)
      return await incoming.keepLazily()
    },
  }
}
