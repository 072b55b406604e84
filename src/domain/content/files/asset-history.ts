import type {
  Change,
  ContentStore,
  HistorySpan,
  Tree,
  Version,
  VersionedFile,
} from '../../../ports/content/content-store.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, reaches, requireZone } from '../../access/actor.ts'
import { ServiceError, zoneNotFound } from '../../errors.ts'
import {
  type AssetPath,
  clientsDirectory,
  isAssetPath,
  repositoryPath,
  zoneOf,
} from '../asset-path.ts'
import { sidecarPath } from '../metadata/sidecar-paths.ts'
import { movedPathFinder } from './moved-path.ts'

/** A version, and the path that the file had then. */
export interface AssetVersion extends Version {
  readonly path: AssetPath
  /** Where the commit moved the file from, or to. */
  readonly movedFrom?: AssetPath
  readonly movedTo?: AssetPath
}

/**
 * What became of a file, commit by commit, under the names it had before it was moved too. Files that are
 * gone have a history too. A narrowed actor sees nothing from before a zone was made, since a former zone
 * of that name was somebody else's, and nothing of zones that it does not reach.
 */
export interface AssetHistory {
  /** Newest first. Refuses a path that never was a file. */
  versions(path: AssetPath, limit: number, actor: Actor): Promise<readonly AssetVersion[]>
  /** The file as a commit left it; refuses where the commit did not change it or took it away. */
  fileAt(path: AssetPath, commitId: string, actor: Actor): Promise<VersionedFile>
  /** The same, and what brings back what was known of it then. Where nothing was, what is known now stays. */
  restorable(path: AssetPath, commitId: string, actor: Actor): Promise<RestorableFile>
}

interface RestorableFile {
  readonly file: VersionedFile
  readonly beside: (tree: Tree) => Promise<readonly Change[]>
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'versions' | 'at' | 'commitNamed'>
  readonly published: Pick<Manifest, 'zone'>
}

/** Nobody looks further back by hand. */
const maxVersions = 500
const maxNames = 32

export function createAssetHistory({ content, published }: Dependencies): AssetHistory {
  async function versions(path: AssetPath, limit: number, actor: Actor) {
    const zone = zoneOf(path)
    requireZone(actor, zone)
    if (!published.zone(zone)) throw zoneNotFound(zone)
    const found = await underAllNames(path, limit, actor)
    if (found.length === 0) throw notFound(path)
    // Of one second, what the present name had comes first: it was moved there later.
    return found
      .toSorted((a, b) => b.committedAt.getTime() - a.committedAt.getTime())
      .slice(0, limit)
  }

  async function underAllNames(path: AssetPath, limit: number, actor: Actor) {
    const found: AssetVersion[] = []
    let name: { readonly path: AssetPath; readonly until?: string | undefined } | undefined = {
      path,
    }
    for (let names = 0; name !== undefined && names < maxNames; names += 1) {
      const own: readonly AssetVersion[] = await underOneName(
        name.path,
        { limit, until: name.until },
        actor,
      )
      found.push(...own)
      const move = own.find(({ movedFrom }) => movedFrom !== undefined)
      const former: AssetPath | undefined = move?.movedFrom
      const isMore = former !== undefined && reaches(actor, zoneOf(former))
      name = isMore ? { path: former, until: move?.parentId } : undefined
    }
    return found
  }

  async function underOneName(path: AssetPath, span: HistorySpan, actor: Actor) {
    const zone = published.zone(zoneOf(path))
    const found =
      actor.zones === undefined
        ? await content.versions(repositoryPath(path), span)
        : await ownVersions(zone, path, span)
    return Promise.all(found.map((version) => withMoves(version, path, content)))
  }

  async function ownVersions(zone: ZoneRecord | undefined, path: AssetPath, span: HistorySpan) {
    if (zone === undefined) return []
    const since = zone.commitId
    const found = await content.versions(repositoryPath(path), { ...span, since })
    // Commits know whole seconds alone, so the time counts only where the commit is not known.
    return since === undefined ? found.filter((each) => each.committedAt >= zone.createdAt) : found
  }

  const versionAt = async (path: AssetPath, commitId: string, actor: Actor) =>
    versionOf(await versions(path, maxVersions, actor), path, await idNow(commitId, content))

  return {
    versions,
    fileAt: async (path, commitId, actor) => (await versionAt(path, commitId, actor)).file,
    async restorable(path, commitId, actor) {
      const { file, former } = await versionAt(path, commitId, actor)
      const said = await (await content.at(commitId))?.find(sidecarPath(former))
      return {
        file,
        beside: (tree) => putBack(said, sidecarPath(path), tree),
      }
    },
  }
}

/** Commits may have other ids than they had when somebody wrote one down. */
async function idNow(commitId: string, content: Pick<ContentStore, 'commitNamed'>) {
  const named = await content.commitNamed(commitId)
  return typeof named === 'object' ? named.id : commitId
}

function versionOf(all: readonly AssetVersion[], path: AssetPath, commitId: string) {
  for (const { id, file, path: former } of all)
    if (id === commitId && file !== undefined) return { file, former }
  throw new ServiceError('AssetNotFound', `Commit "${commitId}" left no file at "${path}"`, {
    target: 'commit',
  })
}

/** Nothing where nothing was said, or the same is said now. */
async function putBack(
  said: Awaited<ReturnType<Tree['find']>>,
  place: string,
  tree: Tree,
): Promise<readonly Change[]> {
  const known = await tree.find(place)
  if (said?.kind !== 'file' || known?.kind === 'directory') return []
  if (known?.contentId === said.contentId) return []
  const content = { id: said.contentId, from: 'stored' } as const
  return [{ kind: 'put', path: place, blob: await said.keep(), content }]
}

/** Anybody can say in a commit that something was moved: it counts where the same content was there. */
async function withMoves(
  version: Version,
  path: AssetPath,
  content: Pick<ContentStore, 'at'>,
): Promise<AssetVersion> {
  const { request, file, parentId = '', id } = version
  const plain = { ...version, path }
  if (request.moves === undefined) return plain
  if (file === undefined) {
    const other = movedPathFinder(request.moves, 'from')(repositoryPath(path))?.path
    const isThere = (await contentAt(content, id, other)) !== undefined
    const movedTo = isThere ? assetPathOf(other) : undefined
    return movedTo === undefined ? plain : { ...plain, movedTo }
  }
  const other = movedPathFinder(request.moves, 'to')(repositoryPath(path))?.path
  const isSame = (await contentAt(content, parentId, other)) === file.contentId
  const movedFrom = isSame ? assetPathOf(other) : undefined
  return movedFrom === undefined ? plain : { ...plain, movedFrom }
}

async function contentAt(
  content: Pick<ContentStore, 'at'>,
  commitId: string,
  path: string | undefined,
): Promise<string | undefined> {
  if (path === undefined) return undefined
  const found = await (await content.at(commitId))?.find(path)
  return found?.kind === 'file' ? found.contentId : undefined
}

function assetPathOf(path: string | undefined): AssetPath | undefined {
  const asset = path?.slice(clientsDirectory.length + 1) ?? ''
  return isAssetPath(asset) ? asset : undefined
}

const notFound = (path: AssetPath) =>
  new ServiceError('AssetNotFound', `There never was a file at "${path}"`, { target: 'path' })
