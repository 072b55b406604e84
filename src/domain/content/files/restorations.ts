import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import type { ContentStore, Put, Tree } from '../../../ports/content/content-store.ts'
import type { Actor } from '../../access/actor.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { type AssetPath, fileNameOf, repositoryPath, zoneOf } from '../asset-path.ts'
import type { Committer } from '../committer.ts'
import { contentTypeOf } from '../media-type.ts'
import { sidecarPath } from '../metadata/sidecar-paths.ts'
import { createMutualGuard, pathConflict, requireWritableZone } from '../write-guards.ts'
import { createConflictGuard } from './conflict-guard.ts'
import { createFaults } from './edit-faults.ts'
import { storedContent } from './put/file-put.ts'

/** A file as a commit has it, to be put where it was. */
export interface RestoredFile {
  readonly path: AssetPath
  readonly commitId: string
  readonly contentType: string
  /** What its bytes were published as. */
  readonly blob: BlobRef
  /** What the request calls it, for refusals. */
  readonly field: string
}

/** Brings files back that are there no more. */
export interface Restorations {
  /** All of them in one commit, with what was known of them, or none. */
  apply(
    request: { readonly files: readonly RestoredFile[]; readonly isDryRun: boolean },
    actor: Actor,
  ): Promise<{ readonly commitId: string | undefined; readonly paths: readonly AssetPath[] }>
}

interface Dependencies {
  readonly content: Pick<
    ContentStore,
    'at' | 'children' | 'filesBelow' | 'find' | 'read' | 'spelling'
  >
  readonly publisher: Committer
  readonly blobs: Pick<BlobStore, 'stat'>
}

const filesUnderWay = 8

export const createRestorations = ({ content, publisher, blobs }: Dependencies): Restorations => ({
  async apply({ files, isDryRun }, actor) {
    const paths = files.map(({ path }) => path)
    if (isDryRun) {
      await requireRoom(content, files)
      return { commitId: undefined, paths }
    }
    const puts = await putsOf(files, { content, blobs })
    const commit = await publisher.commit({ ...deedOf(paths), actor }, async (tree) => {
      await requireRoom(tree, files)
      return puts
    })
    return { commitId: commit?.id, paths }
  },
})

/** What a commit has never changes, so it is looked up, and brought where it is lost, before the commit's turn. */
async function putsOf(
  files: readonly RestoredFile[],
  { content, blobs }: Pick<Dependencies, 'content' | 'blobs'>,
): Promise<readonly Put[]> {
  const trees = new Map<string, Promise<Tree | undefined>>()
  const puts = await mapConcurrently(files, filesUnderWay, async (file) => {
    const { commitId, path } = file
    const known = trees.get(commitId) ?? content.at(commitId)
    trees.set(commitId, known)
    const tree = await known
    const put = tree && (await putOf(tree, repositoryPath(path), { blobs, known: file.blob }))
    if (tree === undefined || put === undefined) throw missing(file)
    const sidecar = await putOf(tree, sidecarPath(path), { blobs })
    return [typed(put, file), ...(sidecar === undefined ? [] : [sidecar])]
  })
  return puts.flat()
}

async function putOf(
  tree: Tree,
  path: string,
  { blobs, known }: Pick<Dependencies, 'blobs'> & { readonly known?: BlobRef },
): Promise<Put | undefined> {
  const found = await tree.find(path)
  if (found?.kind !== 'file') return undefined
  return { kind: 'put', path, ...(await storedContent(found, blobs, known)) }
}

const typed = (put: Put, { path, contentType }: RestoredFile): Put =>
  contentType === contentTypeOf(fileNameOf(path)) ? put : { ...put, contentType }

async function requireRoom(tree: Tree, files: readonly RestoredFile[]): Promise<void> {
  const isTaken = createConflictGuard(tree, new Set())
  const refuseBeside = createMutualGuard(files.map(({ path }) => path))
  const faults = createFaults(files.length)
  const zones = new Set(files.map(({ path }) => zoneOf(path)))
  for (const zone of zones) await requireWritableZone(tree, zone)
  for (const { path, field } of files)
    await faults.noting(field, async () => {
      refuseBeside(path)
      if (await isTaken(path)) throw pathConflict(path, 'has a file again')
    })
  faults.throwAny()
}

function deedOf(paths: readonly AssetPath[]) {
  const [path] = paths
  if (path === undefined) throw invalid('Paths', 'must name something')
  const zones = [...new Set(paths.map(zoneOf))].join(', ')
  return paths.length === 1
    ? { action: 'storage.restore', target: path, subject: `Restore ${path}` }
    : {
        action: 'storage.restore',
        target: zones,
        subject: `Restore ${paths.length} files of ${zones}`,
        meta: { paths: paths.slice(0, 1000) },
      }
}

const missing = ({ path, commitId, field }: RestoredFile) =>
  new ServiceError('AssetNotFound', `Commit "${commitId}" has no file at "${path}"`, {
    target: field,
  })
