import { flatMapInTurns, sortInTurns } from '../../../lib/async/in-turns.ts'
import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { ContentStore, Tree, TreeDifference } from '../../../ports/content/content-store.ts'
import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { type AssetPath, fileNameOf, repositoryPath } from '../asset-path.ts'
import { contentTypeOf } from '../media-type.ts'
import { zoneDirectory } from '../zone-settings.ts'
import { isOfZone } from './pin-source.ts'
import type { ZoneCommit } from './zone-history.ts'
import { assetAt, byUnits, type ChangedAsset, describedAlone, isMeant } from './plan-restoration.ts'
import {
  commitOfState,
  pathBelowZone,
  publishedZone,
  type ZoneState,
  type ZoneStateSource,
} from './zone-states.ts'

export interface WantedDifferences {
  readonly zone: string
  /** The commit before `to` where left out: what that one changed. */
  readonly from?: ZoneState | undefined
  /** The newest commit where left out. */
  readonly to?: ZoneState | undefined
  /** A directory or a file of the zone, such as `v1/icons`; all of it where left out. */
  readonly prefix?: string | undefined
  readonly change?: FileChange | undefined
  readonly limit: number
  /** The last path of the page before. */
  readonly after?: string | undefined
}

export const fileChanges = ['added', 'changed', 'removed'] as const
export type FileChange = (typeof fileChanges)[number]

/** A file as one of the two commits has it. */
export interface FileState {
  readonly sizeBytes: number
  readonly sha256: string
  readonly contentType: string
}

export interface FileDifference {
  readonly path: AssetPath
  readonly change: FileChange
  /** Whether its bytes are the same, and only what is known of it differs. */
  readonly isDescribedAlone: boolean
  readonly before: FileState | undefined
  readonly after: FileState | undefined
}

export interface ZoneDifferencePage {
  /** `undefined` where the zone was not there before `to`. */
  readonly from: ZoneCommit | undefined
  readonly to: ZoneCommit
  /** By path. */
  readonly differences: readonly FileDifference[]
  /** Of all pages. */
  readonly counts: Readonly<Record<FileChange, number>>
  /** `after` of the next page; `undefined` where there is none. */
  readonly next: string | undefined
}

/** What a zone has otherwise at two moments. */
export interface ZoneDifferences {
  between(wanted: WantedDifferences, actor: Actor): Promise<ZoneDifferencePage>
}

interface Dependencies {
  readonly content: ZoneStateSource &
    Pick<ContentStore, 'at' | 'declaredTypes' | 'differing' | 'head' | 'history'>
  readonly published: Pick<Manifest, 'zone'>
}

interface Difference {
  readonly path: AssetPath
  readonly change: FileChange
  readonly isDescribedAlone: boolean
}

/** At most some 200 bytes each: pages of one list are asked for one after another. */
const rememberedPaths = 200_000
const filesUnderWay = 16
/** Thousands of files let requests be answered meanwhile. */
const filesPerTurn = 2_000

export function createZoneDifferences({ content, published }: Dependencies): ZoneDifferences {
  const known = new LruCache<readonly Difference[]>({
    maxWeight: rememberedPaths,
    weigh: ({ length }) => length + 1,
  })
  const flights = createSingleFlight<readonly Difference[]>()

  async function endsOf(zone: ZoneRecord, wanted: WantedDifferences): Promise<Ends> {
    const newest = { commit: (await content.head()) ?? '' }
    const end = await commitOfState(zone, wanted.to ?? newest, content)
    const to = await commitOf(end, content)
    const begin =
      wanted.from === undefined
        ? await parentOf(zone, to, content)
        : await commitOfState(zone, wanted.from, content)
    return { from: begin && (await commitOf(begin, content)), to }
  }

  /** Two commits never differ otherwise than they do. */
  async function listOf(zone: string, below: string, ends: Ends): Promise<readonly Difference[]> {
    const key = `${ends.from?.id} ${ends.to.id} ${below}`
    const remembered = known.get(key)
    if (remembered !== undefined) return remembered
    return await flights.share(key, async () => {
      const files = await differingFiles(zone, ends, content)
      const list = await differencesOf(files, { zone, below })
      known.set(key, list)
      return list
    })
  }

  return {
    async between(wanted, actor) {
      const { zone: name, prefix, change, after = '', limit } = wanted
      requireZone(actor, name)
      const zone = publishedZone(name, published)
      const below = pathBelowZone(name, prefix, 'path')
      const ends = await endsOf(zone, wanted)
      const all = await listOf(name, below, ends)
      const rest = all.filter(
        (each) => each.path > after && (change === undefined || each.change === change),
      )
      const some = rest.slice(0, limit)
      return {
        ...ends,
        differences: await withStates(some, ends, content),
        counts: countsOf(all),
        next: rest.length > limit ? some.at(-1)?.path : undefined,
      }
    },
  }
}

type Ends = Pick<ZoneDifferencePage, 'from' | 'to'>

async function commitOf(
  { id }: CommitPoint,
  content: Pick<ContentStore, 'history'>,
): Promise<ZoneCommit> {
  const [commit] = await content.history('', 1, { until: id })
  if (commit === undefined) throw new Error(`The repository has no commit ${id}`)
  return commit
}

/** The commit before, where it is the zone's. */
async function parentOf(
  zone: ZoneRecord,
  { parentId }: ZoneCommit,
  content: ZoneStateSource,
): Promise<CommitPoint | undefined> {
  if (parentId === undefined) return undefined
  const parent = await content.commitNamed(parentId)
  if (parent === undefined || parent === 'ambiguous') return undefined
  return (await isOfZone(zone, parent, content)) ? parent : undefined
}

async function differingFiles(
  zone: string,
  { from, to }: Ends,
  content: Pick<ContentStore, 'at' | 'differing'>,
): Promise<readonly TreeDifference[]> {
  const directory = zoneDirectory(zone)
  if (from !== undefined)
    return await content.differing(await treeOf(from, content), to.id, directory)
  const files = await (await treeOf(to, content)).filesBelow(directory)
  return files.map(({ path, contentId }) => ({ path, after: contentId }))
}

async function treeOf({ id }: CommitPoint, content: Pick<ContentStore, 'at'>): Promise<Tree> {
  const tree = await content.at(id)
  if (tree === undefined) throw new Error(`The repository has no commit ${id}`)
  return tree
}

async function differencesOf(
  files: readonly TreeDifference[],
  area: { readonly zone: string; readonly below: string },
): Promise<readonly Difference[]> {
  const assets = await flatMapInTurns(files, filesPerTurn, (file) =>
    isMeant(file.path, area) ? assetAt(file) : [],
  )
  const described = await describedAlone(files, assets, area)
  const all: readonly Difference[] = [
    ...assets.map((file) => ({
      path: file.asset,
      change: changeOf(file),
      isDescribedAlone: false,
    })),
    ...described.map((path) => ({ path, change: 'changed' as const, isDescribedAlone: true })),
  ]
  return await sortInTurns(all, filesPerTurn, (one, other) => byUnits(one.path, other.path))
}

function changeOf({ before, after }: ChangedAsset): FileChange {
  if (before === undefined) return 'added'
  return after === undefined ? 'removed' : 'changed'
}

function countsOf(all: readonly Difference[]): Record<FileChange, number> {
  const counts = { added: 0, changed: 0, removed: 0 }
  for (const { change } of all) counts[change] += 1
  return counts
}

async function withStates(
  differences: readonly Difference[],
  { from, to }: Ends,
  content: Pick<ContentStore, 'at' | 'declaredTypes'>,
): Promise<readonly FileDifference[]> {
  const paths = differences.map(({ path }) => path)
  const [before, after] = await Promise.all([
    from && statesIn(from, paths, content),
    statesIn(to, paths, content),
  ])
  return differences.map((each, index) => ({
    ...each,
    before: before?.[index],
    after: after[index],
  }))
}

/** What a commit has at each path. */
async function statesIn(
  commit: CommitPoint,
  paths: readonly AssetPath[],
  content: Pick<ContentStore, 'at' | 'declaredTypes'>,
): Promise<readonly (FileState | undefined)[]> {
  const tree = await treeOf(commit, content)
  const places = paths.map((path) => repositoryPath(path))
  const typeByPath = await content.declaredTypes(commit.id, places)
  return await mapConcurrently(paths, filesUnderWay, async (path) => {
    const place = repositoryPath(path)
    const found = await tree.find(place)
    if (found?.kind !== 'file') return undefined
    const { sizeBytes, sha256 } = await found.blob()
    const contentType = typeByPath.get(place) ?? contentTypeOf(fileNameOf(path))
    return { sizeBytes, sha256, contentType }
  })
}
