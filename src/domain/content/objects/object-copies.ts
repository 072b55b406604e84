import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { Change, ContentStore, Put, Tree } from '../../../ports/content/content-store.ts'
import type { AssetMetadata } from '../../../ports/records/asset-metadata.ts'
import type { Actor } from '../../access/actor.ts'
import { requireZone } from '../../access/actor.ts'
import { ServiceError } from '../../errors.ts'
import { type AssetPath, fileNameOf, repositoryPath, zoneOf } from '../asset-path.ts'
import { type Precondition, requireOpenZone } from '../files/files.ts'
import { contentTypeOf, declaredType } from '../media-type.ts'
import { personsValues } from '../metadata/first-values.ts'
import type { Sidecar } from '../metadata/sidecar.ts'
import { readSidecar } from '../metadata/stored-sidecar.ts'
import { refuseConflicts, requireWritableZone } from '../write-guards.ts'
import { copiedSidecar, type ObjectWords } from './object-sidecar.ts'
import type { ObjectDependencies, WrittenObject } from './objects.ts'

/** An object, as it is or as a commit left it. */
export interface CopySource {
  readonly path: AssetPath
  /** Where it is a former version, or elsewhere. */
  readonly commitId?: string | undefined
  /** It is of a preview and the copy is not, or the other way round: its bytes are stored as new ones are. */
  readonly isElsewhere?: boolean
  /** The bytes it has; other ones are another object by now, which is refused. */
  readonly sha256: string
  readonly contentType: string
}

export interface ObjectCopy {
  readonly source: CopySource
  readonly to: AssetPath
  readonly precondition?: Precondition | undefined
  /** The type of the copy, where it is not the source's; null leaves it to the name. */
  readonly contentType?: string | null | undefined
  /** What is said of the copy, given what is said of the source. */
  readonly words: (source: ObjectWords) => ObjectWords
}

/** Puts objects somewhere else as well; no byte of them is read or written, but of what is elsewhere. */
export interface ObjectCopies {
  /** What persons said of the source goes with it. `WriteConflict` where the source is another by now. */
  copy(copy: ObjectCopy, actor: Actor): Promise<WrittenObject>
}

interface Dependencies extends ObjectDependencies {
  readonly content: Pick<ContentStore, 'at'>
}

export const createObjectCopies = (dependencies: Dependencies): ObjectCopies => ({
  async copy(copy, actor) {
    const { published, publisher, content } = dependencies
    const { source, to } = copy
    requireZone(actor, zoneOf(source.path))
    requireOpenZone(to, actor, published)
    const former = source.commitId === undefined ? undefined : await content.at(source.commitId)
    // What a commit has never changes, so it is brought into the blob store before the commit's turn.
    const kept = former && (await contentAt(former, source))
    let isUnchanged = false
    const commit = await publisher.commit({ ...deedOf(copy), actor }, async (tree) => {
      const found = kept ?? (await contentAt(tree, source))
      const current = await guarded(tree, copy)
      const put = putOf(copy, found)
      isUnchanged = current?.sha256 === found.blob.sha256 && isOfType(put, published.asset(to))
      const beside = await besideOf(tree, former ?? tree, { copy, sha256: found.blob.sha256 })
      return [...(isUnchanged ? [] : [put]), ...beside]
    })
    const { sha256 } = source
    const sizeBytes = published.asset(to)?.sizeBytes ?? 0
    const versionId = isUnchanged ? published.asset(to)?.commitId : commit?.id
    return { sha256, sizeBytes, versionId }
  },
})

interface StoredContent {
  readonly id: string
  readonly blob: BlobRef
}

async function contentAt(
  tree: Tree,
  { path, commitId, sha256 }: CopySource,
): Promise<StoredContent> {
  const found = await tree.find(repositoryPath(path))
  if (found?.kind !== 'file')
    throw new ServiceError('AssetNotFound', `No object at "${path}"`, { target: 'source' })
  const blob = await (commitId === undefined ? found.blob() : found.keep())
  if (blob.sha256 !== sha256)
    throw new ServiceError('WriteConflict', `"${path}" was written meanwhile`, { target: 'source' })
  return { id: found.contentId, blob }
}

async function guarded(tree: Tree, { to, precondition }: ObjectCopy): Promise<BlobRef | undefined> {
  await requireWritableZone(tree, zoneOf(to))
  await refuseConflicts(tree, to)
  const found = await tree.find(repositoryPath(to))
  const current = found?.kind === 'file' ? await found.blob() : undefined
  if (precondition && !precondition(current?.sha256))
    throw new ServiceError(
      'PreconditionFailed',
      'The stored object is not the one the request names',
    )
  return current
}

function putOf(
  { source, to, contentType = source.contentType }: ObjectCopy,
  found: StoredContent,
): Put {
  const type = declaredType(contentType, fileNameOf(to))
  const put: Put = {
    kind: 'put',
    path: repositoryPath(to),
    blob: found.blob,
    // Commits of one line hand on what the line has, and nothing of others.
    ...(!source.isElsewhere && { content: { id: found.id, from: 'stored' } }),
  }
  return type === undefined ? put : { ...put, contentType: type }
}

const isOfType = (put: Put, published: { readonly contentType: string } | undefined): boolean =>
  published?.contentType === (put.contentType ?? contentTypeOf(put.path))

interface Beside {
  readonly copy: ObjectCopy
  readonly sha256: string
}

async function besideOf(
  tree: Tree,
  sourceTree: Tree,
  { copy: { source, to, words }, sha256 }: Beside,
): Promise<readonly Change[]> {
  const { metadata, others } = await readSidecar(sourceTree, source.path)
  const said = metadata.object?.sha256 === sha256 ? metadata.object : {}
  const isOtherZone = zoneOf(source.path) !== zoneOf(to)
  const kept: Sidecar = { metadata: isOtherZone ? withoutFields(metadata) : metadata, others }
  return await copiedSidecar(tree, to, { source: kept, object: { ...words(said), sha256 } })
}

/** The own fields of a zone are what that zone wants. */
function withoutFields(metadata: AssetMetadata): AssetMetadata {
  const { custom: _custom, ...rest } = personsValues(metadata)
  return rest
}

const deedOf = ({ source, to }: ObjectCopy) => ({
  action: 'storage.copy',
  target: source.path,
  subject: `Copy ${source.path} to ${to}`,
  meta: { to, ...(source.commitId !== undefined && { from: source.commitId }) },
})
