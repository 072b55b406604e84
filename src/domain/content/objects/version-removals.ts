import type { Change, ContentStore, Tree } from '../../../ports/content/content-store.ts'
import type { ObjectVersions } from '../../../ports/content/object-versions.ts'
import type { ObjectVersion } from '../../../ports/records/object-version.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { PublicationStore } from '../../../ports/content/publication-store.ts'
import { type Actor, auditRecordOf } from '../../access/actor.ts'
import { ServiceError } from '../../errors.ts'
import { type AssetPath, fileNameOf, repositoryPath, zoneOf } from '../asset-path.ts'
import type { Committer } from '../committer.ts'
import { requireOpenZone } from '../files/files.ts'
import { contentTypeOf } from '../media-type.ts'
import { sidecarPath, sidecarRemoval } from '../metadata/sidecar-paths.ts'
import { refuseConflicts, requireWritableZone } from '../write-guards.ts'
import { type DirectoryMarkers, markerMetadata } from './directory-markers.ts'
import { type ObjectPlace, pathOfPlace } from './object-place.ts'
import type { ObjectRemovals } from './object-removals.ts'

/** What was removed: bytes or a deletion; nothing, where there is no such version. */
export type VersionRemoval = 'content' | 'deletion' | 'absent'

/**
 * Takes the newest version of an object back, so that it is again what it was before: another commit. An older
 * one is forgotten, and its bytes go for good once nothing else has them: whoever does that has to be
 * allowed to `forget`, and is refused with `InsufficientScope`.
 */
export interface VersionRemovals {
  remove(removal: {
    readonly place: ObjectPlace
    readonly versionId: string
    readonly actor: Actor
    readonly mayForget: boolean
  }): Promise<VersionRemoval>
}

interface Dependencies {
  readonly versions: Pick<ObjectVersions, 'find' | 'newest' | 'before' | 'release'>
  readonly publications: Pick<PublicationStore, 'publish'>
  readonly now: () => Date
  readonly content: Pick<ContentStore, 'at'>
  readonly published: Pick<Manifest, 'zone'>
  readonly publisher: Committer
  readonly markers: Pick<DirectoryMarkers, 'put'>
  readonly removals: ObjectRemovals
}

export const createVersionRemovals = (dependencies: Dependencies): VersionRemovals => ({
  async remove({ place, versionId, actor, mayForget }) {
    const { versions } = dependencies
    const path = pathOfPlace(place)
    const version = await versions.find(path, versionId)
    if (version === undefined) return 'absent'
    const kind = version.content === undefined ? 'deletion' : 'content'
    if ((await versions.newest(path))?.commitId !== versionId) {
      await forget(path, version, { actor, mayForget, ...dependencies })
      return kind
    }
    const before = await versions.before(path, versionId)
    if (place.kind === 'asset') {
      await revert(place.path, { version, before }, { actor, ...dependencies })
    } else await turnMarker(place, { version, before }, { actor, ...dependencies })
    return kind
  },
})

interface Acting extends Dependencies {
  readonly actor: Actor
}

async function forget(
  path: string,
  { commitId }: ObjectVersion,
  { versions, publications, published, now, actor, mayForget }: Acting & { mayForget: boolean },
): Promise<void> {
  if (!mayForget)
    throw new ServiceError(
      'InsufficientScope',
      'What is history is removed with zones:write alone',
      {
        target: 'versionId',
      },
    )
  requireOpenZone(path as AssetPath, actor, published)
  const deed = { action: 'storage.forget', target: path, meta: { version: commitId } }
  await publications.publish([{ feed: [], audit: [auditRecordOf(deed, actor, now())] }])
  await versions.release(path, commitId)
}

async function turnMarker(
  place: Extract<ObjectPlace, { kind: 'marker' }>,
  { version, before }: Step,
  { content, markers, removals, actor }: Acting,
): Promise<void> {
  if (version.content === undefined) {
    const tree = before && (await content.at(before.commitId))
    const { sha256: _, ...said } = (tree && (await markerMetadata(tree, place))) ?? {}
    await markers.put({ place, words: () => said }, actor)
  } else await removals.remove(place.directory.split('/', 1)[0] ?? '', [{ place }], actor)
}

interface Step {
  readonly version: ObjectVersion
  readonly before: ObjectVersion | undefined
}

async function revert(
  path: AssetPath,
  { version, before }: Step,
  { content, published, publisher, actor }: Acting,
): Promise<void> {
  requireOpenZone(path, actor, published)
  const former = before?.content && (await formerChanges(path, before, content))
  await publisher.commit(
    {
      action: 'storage.restore',
      target: path,
      subject: `Take version ${version.commitId.slice(0, 10)} of ${path} back`,
      actor,
      meta: { version: version.commitId, ...(before && { restoredFrom: before.commitId }) },
    },
    async (tree) => {
      await requireWritableZone(tree, zoneOf(path))
      await requireNewest(tree, path, version)
      const sidecar = await sidecarRemoval(tree, path)
      if (former === undefined) return [{ kind: 'delete', path: repositoryPath(path) }, ...sidecar]
      await refuseConflicts(tree, path)
      return [...sidecar, ...former]
    },
  )
}

/** Another commit may have come since, which is not published yet. */
async function requireNewest(tree: Tree, path: AssetPath, { content }: ObjectVersion) {
  const found = await tree.find(repositoryPath(path))
  const sha256 = found?.kind === 'file' ? (await found.blob()).sha256 : undefined
  if (sha256 !== content?.sha256)
    throw new ServiceError('WriteConflict', `"${path}" was written meanwhile`, { target: 'path' })
}

/** What a commit has never changes, so it is brought into the blob store before the commit's turn. */
async function formerChanges(
  path: AssetPath,
  { commitId, content: version }: ObjectVersion,
  content: Pick<ContentStore, 'at'>,
): Promise<readonly Change[]> {
  const tree = await content.at(commitId)
  const puts = await Promise.all(
    [repositoryPath(path), sidecarPath(path)].map(async (place): Promise<readonly Change[]> => {
      const found = await tree?.find(place)
      if (found?.kind !== 'file') return []
      const known = { id: found.contentId, from: 'stored' } as const
      return [{ kind: 'put', path: place, blob: await found.keep(), content: known }]
    }),
  )
  const [[file] = [], sidecar = []] = puts
  if (file?.kind !== 'put')
    throw new ServiceError('Unavailable', `The bytes of "${path}" cannot be read right now`)
  const type = version?.contentType
  const isSaid = type === undefined || type === contentTypeOf(fileNameOf(path))
  return [isSaid ? file : { ...file, contentType: type }, ...sidecar]
}
