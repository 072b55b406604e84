import type { ContentStore, Version, VersionedFile } from '../../ports/content-store.ts'
import type { Manifest } from '../../ports/manifest.ts'
import { type Actor, requireZone } from '../access/actor.ts'
import { ServiceError } from '../errors.ts'
import { type AssetPath, repositoryPath, zoneOf } from './asset-path.ts'
import { zoneNotFound } from './write-guards.ts'

/** What became of a file, commit by commit. Files that are gone have a history too. */
export interface AssetHistory {
  /** Newest first. Refuses a path that never was a file. */
  versions(path: AssetPath, limit: number, actor: Actor): Promise<readonly Version[]>
  /** The file as a commit left it; refuses where the commit did not change it or took it away. */
  fileAt(path: AssetPath, commitId: string, actor: Actor): Promise<VersionedFile>
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'versions'>
  readonly published: Pick<Manifest, 'zone'>
}

/** Nobody looks further back by hand. */
const maxVersions = 500

export function createAssetHistory({ content, published }: Dependencies): AssetHistory {
  async function versions(path: AssetPath, limit: number, actor: Actor) {
    const zone = zoneOf(path)
    requireZone(actor, zone)
    if (!published.zone(zone)) throw zoneNotFound(zone)
    const found = await content.versions(repositoryPath(path), limit)
    if (found.length === 0) throw notFound(path)
    return found
  }
  return {
    versions,
    async fileAt(path, commitId, actor) {
      const all = await versions(path, maxVersions, actor)
      const file = all.find(({ id }) => id === commitId)?.file
      if (file === undefined)
        throw new ServiceError('AssetNotFound', `Commit "${commitId}" left no file at "${path}"`, {
          target: 'commit',
        })
      return file
    },
  }
}

const notFound = (path: AssetPath) =>
  new ServiceError('AssetNotFound', `There never was a file at "${path}"`, { target: 'path' })
