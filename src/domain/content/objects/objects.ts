import type { BlobRef } from '../../../ports/content/blob-store.ts'
import type { Tree } from '../../../ports/content/content-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { Actor } from '../../access/actor.ts'
import { ServiceError } from '../../errors.ts'
import { type AssetPath, repositoryPath, zoneOf } from '../asset-path.ts'
import type { Committer } from '../committer.ts'
import { type Files, type Precondition, type PutRequest, requireOpenZone } from '../files/files.ts'
import { readSidecar } from '../metadata/stored-sidecar.ts'
import { requireWritableZone } from '../write-guards.ts'
import { objectChanges, type ObjectWords } from './object-sidecar.ts'

export interface ObjectPut extends Pick<PutRequest, 'path' | 'source' | 'contentType'> {
  readonly precondition?: Precondition | undefined
  /** Asked once all bytes are there. It takes the place of all that was said of what they replace. */
  readonly words: () => ObjectWords
}

export interface WrittenObject extends BlobRef {
  /** The commit that wrote these bytes to this path. */
  readonly versionId: string | undefined
}

/** Single files of the zones as objects. Every change is durable and published when it is answered. */
export interface Objects {
  put(put: ObjectPut, actor: Actor): Promise<WrittenObject>
  /** Says other words of an object whose bytes stay; `AssetNotFound` where there is none. */
  describe(path: AssetPath, edit: (words: ObjectWords) => ObjectWords, actor: Actor): Promise<void>
}

export interface ObjectDependencies {
  readonly files: Pick<Files, 'put'>
  readonly published: Pick<Manifest, 'asset' | 'zone'>
  readonly publisher: Committer
}

export const createObjects = (dependencies: ObjectDependencies): Objects => ({
  async put({ words, ...request }, actor) {
    const beside = (tree: Tree, { sha256 }: BlobRef) =>
      objectChanges(tree, request.path, { sha256, ...words() })
    const { sha256, sizeBytes, commitId } = await dependencies.files.put(
      { ...withoutUndefined(request), beside },
      actor,
    )
    return { sha256, sizeBytes, versionId: commitId }
  },
  describe: (path, edit, actor) => describeObject(dependencies, { path, edit }, actor),
})

function withoutUndefined({ precondition, ...request }: Omit<ObjectPut, 'words'>) {
  return precondition === undefined ? request : { ...request, precondition }
}

interface Edit {
  readonly path: AssetPath
  readonly edit: (words: ObjectWords) => ObjectWords
}

async function describeObject(
  { published, publisher }: ObjectDependencies,
  { path, edit }: Edit,
  actor: Actor,
): Promise<void> {
  requireOpenZone(path, actor, published)
  await publisher.commit(
    {
      action: 'object.describe',
      target: path,
      subject: `Describe ${path}`,
      actor,
      meta: { zone: zoneOf(path) },
    },
    async (tree) => {
      await requireWritableZone(tree, zoneOf(path))
      const found = await tree.find(repositoryPath(path))
      if (found?.kind !== 'file')
        throw new ServiceError('AssetNotFound', `No object at "${path}"`, { target: 'path' })
      const { sha256 } = await found.blob()
      const { object } = (await readSidecar(tree, path)).metadata
      const words = object?.sha256 === sha256 ? object : {}
      return await objectChanges(tree, path, { ...edit(words), sha256 })
    },
  )
}
