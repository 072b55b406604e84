import { takeTurns } from '../../lib/async/turns.ts'
import { counted } from '../../lib/text/visible-text.ts'
import type { Change, Tree } from '../../ports/content/content-store.ts'
import type { ErasureRecord } from '../../ports/records/erasure.ts'
import type { Actor } from '../access/actor.ts'
import type { Catalog } from '../catalog/catalog.ts'
import { type AssetPath, repositoryPath } from '../content/asset-path.ts'
import type { Committer } from '../content/committer.ts'
import { sidecarRemoval } from '../content/metadata/sidecar-paths.ts'
import { type ErasingPlace, singlePlace } from './erasing-place.ts'

interface Dependencies {
  readonly published: Pick<Catalog, 'all'>
  readonly publisher: Committer
}

const assetsPerTurn = 5_000

/** The published files, which one commit takes away with what was known of them, whatever zone they are of. */
export const liveFiles = (dependencies: Dependencies): ErasingPlace =>
  singlePlace('live', async (erasure) => {
    let taken = 0
    // What was committed just before may be published only now.
    for (let paths = await pathsWith(erasure, dependencies); paths.length > 0;) {
      taken += await takeAway(paths, erasure, dependencies)
      const left = await pathsWith(erasure, dependencies)
      if (left.length === paths.length) throw new Error(`${left.length} files are still published`)
      paths = left
    }
    return {
      detail:
        taken === 0 ? 'no published file has the bytes' : `${counted(taken, 'file')} taken away`,
    }
  })

/** Looked for among all assets: bytes may have been stored under other names since. */
async function pathsWith(
  { blobs }: ErasureRecord,
  { published }: Pick<Dependencies, 'published'>,
): Promise<readonly AssetPath[]> {
  const erased = new Set(blobs.map((blob) => blob.sha256))
  const paths: AssetPath[] = []
  const turns = takeTurns(assetsPerTurn)
  // As of one moment: what is moved meanwhile would be at neither of its places.
  const all = Array.from(published.all())
  for (const { path, sha256 } of all) {
    if (erased.has(sha256)) paths.push(path as AssetPath)
    await turns.after(1)
  }
  return paths
}

async function takeAway(
  paths: readonly AssetPath[],
  { id, blobs, createdBy }: ErasureRecord,
  { publisher }: Dependencies,
): Promise<number> {
  const erased = new Set(blobs.map(({ sha256 }) => sha256))
  const commit = await publisher.commit(
    {
      action: 'content.erase',
      target: paths.length === 1 ? (paths[0] ?? '') : `${paths.length} files`,
      subject: `Erase ${paths.length === 1 ? 'a file' : `${paths.length} files`} for good`,
      actor: orderedBy(createdBy),
      meta: { erasure: id, files: paths.length },
    },
    async (tree) => {
      const changes: Change[] = []
      for (const path of paths) changes.push(...(await removalOf(tree, path, erased)))
      return changes
    },
  )
  return commit === undefined ? 0 : paths.length
}

async function removalOf(
  tree: Tree,
  path: AssetPath,
  erased: ReadonlySet<string>,
): Promise<readonly Change[]> {
  const found = await tree.find(repositoryPath(path))
  if (found?.kind !== 'file' || !erased.has((await found.blob()).sha256)) return []
  return [{ kind: 'delete', path: repositoryPath(path) }, ...(await sidecarRemoval(tree, path))]
}

/** Who ordered it; where from is in the audit record of the order. */
const orderedBy = (credentialId: string): Actor => ({
  credentialId,
  zones: undefined,
  ip: '',
  userAgent: undefined,
  requestId: '',
})
