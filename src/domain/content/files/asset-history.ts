import type { ContentStore, Version, VersionedFile } from '../../../ports/content/content-store.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { ServiceError, zoneNotFound } from '../../errors.ts'
import { type AssetPath, repositoryPath, zoneOf } from '../asset-path.ts'

/**
 * What became of a file, commit by commit. Files that are gone have a history too. A narrowed actor
 * sees nothing from before its zone was made: a former zone of that name was somebody else's.
 */
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
    const record = published.zone(zone)
    if (!record) throw zoneNotFound(zone)
    const found =
      actor.zones === undefined
        ? await content.versions(repositoryPath(path), { limit })
        : await ownVersions(record, path, limit)
    if (found.length === 0) throw notFound(path)
    return found
  }

  async function ownVersions(zone: ZoneRecord, path: AssetPath, limit: number) {
    const since = zone.commitId
    const found = await content.versions(repositoryPath(path), { limit, since })
    // Commits know whole seconds alone, so the time counts only where the commit is not known.
    return since === undefined ? found.filter((each) => each.committedAt >= zone.createdAt) : found
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
