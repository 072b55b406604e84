import { flatMapInTurns, sortInTurns } from '../../../lib/async/in-turns.ts'
import { mapConcurrently } from '../../../lib/async/map-concurrently.ts'
import { takeTurns } from '../../../lib/async/turns.ts'
import type { BlobRef, BlobStore } from '../../../ports/content/blob-store.ts'
import type {
  Change,
  ContentStore,
  Put,
  Tree,
  TreeDifference,
} from '../../../ports/content/content-store.ts'
import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import {
  type AssetPath,
  clientsDirectory,
  fileNameOf,
  isAssetPath,
  placeholderName,
} from '../asset-path.ts'
import { ServiceError } from '../../errors.ts'
import { isLetGo } from '../let-go.ts'
import { contentTypeOf } from '../media-type.ts'
import { assetOfSidecar, describedBy, ownDirectoryOf } from '../metadata/sidecar-paths.ts'
import { pathConflict } from '../write-guards.ts'

export interface RestorationPlan {
  readonly changes: readonly Change[]
  readonly added: readonly AssetPath[]
  readonly changed: readonly AssetPath[]
  readonly removed: readonly AssetPath[]
  /** What is known of contents by their ids, for the plan on a newer tree. */
  readonly blobById: ReadonlyMap<string, BlobRef>
}

interface Wanted {
  readonly zone: string
  /** `<zone>/v1`, or a path below it. */
  readonly below: string
  readonly from: CommitPoint
  readonly content: Pick<ContentStore, 'at' | 'declaredPaths' | 'declaredTypes' | 'differing'>
  readonly blobs: Pick<BlobStore, 'stat'>
  readonly published: {
    asset(path: string): AssetRecord | undefined
    zoneFiles(name: string): readonly AssetRecord[]
  }
  readonly former?: RestorationPlan
  /** Of the repository: these alone, where there is a list. */
  readonly paths?: ReadonlySet<string>
}

type Area = Pick<Wanted, 'zone' | 'below'>

const filesUnderWay = 16
/** Thousands of files let requests be answered meanwhile. */
const filesPerTurn = 5_000

/** What makes `tree` have the files that a commit has below a path, and what was known of them then. */
export async function planRestoration(tree: Tree, wanted: Wanted): Promise<RestorationPlan> {
  const { zone, below, from, content } = wanted
  await requireSpelling(tree, `${clientsDirectory}/${below}`)
  const source = await content.at(from.id)
  if (source === undefined) throw new Error(`The repository has no commit ${from.id}`)
  const every = await content.differing(tree, from.id, `${clientsDirectory}/${zone}`)
  const all = every.filter(({ path }) => wanted.paths?.has(path) ?? true)
  const files = await flatMapInTurns(all, filesPerTurn, (file) =>
    isMeant(file.path, wanted) ? [file] : [],
  )
  const blobById = await blobsOf(files, source, wanted)
  await requireKept(files, blobById)
  const removals = await flatMapInTurns(files, filesPerTurn, removalOf)
  const typeByPath = await content.declaredTypes(
    from.id,
    files.map(({ path }) => path),
  )
  const puts = await flatMapInTurns(files, filesPerTurn, (file) =>
    putOf(file, blobById, typeByPath),
  )
  const retyped = await retypedPuts(tree, files, wanted)
  const assets = await flatMapInTurns(files, filesPerTurn, assetAt)
  const described = await describedAlone(all, assets, wanted)
  return {
    // What goes comes first: a file may make way for a directory, and a directory for a file.
    changes: [...removals, ...puts, ...retyped],
    added: await pathsOf(assets, ({ before }) => before === undefined),
    changed: [
      ...(await pathsOf(
        assets,
        ({ before, after }) => before !== undefined && after !== undefined,
      )),
      ...described,
      ...retyped.map(({ path }) => path.slice(clientsDirectory.length + 1) as AssetPath),
    ],
    removed: await pathsOf(assets, ({ after }) => after === undefined),
    blobById,
  }
}

export interface ChangedAsset extends TreeDifference {
  readonly asset: AssetPath
}

export function assetAt(file: TreeDifference): ChangedAsset[] {
  const asset = file.path.slice(clientsDirectory.length + 1)
  return isAssetPath(asset) ? [{ ...file, asset }] : []
}

const removalOf = ({ path, after }: TreeDifference): Change[] =>
  after === undefined ? [{ kind: 'delete', path }] : []

async function pathsOf(
  files: readonly ChangedAsset[],
  isOne: (file: ChangedAsset) => boolean,
): Promise<readonly AssetPath[]> {
  const paths = await flatMapInTurns(files, filesPerTurn, (file) =>
    isOne(file) ? [file.asset] : [],
  )
  return await sortInTurns(paths, filesPerTurn, byUnits)
}

export const byUnits = (one: string, other: string): number => (one < other ? -1 : 1)

/** Assets of which only what is known is another. */
export async function describedAlone(
  files: readonly TreeDifference[],
  assets: readonly ChangedAsset[],
  area: Area,
): Promise<readonly AssetPath[]> {
  const known = new Set(assets.map(({ asset }) => asset))
  return await flatMapInTurns(files, filesPerTurn, ({ path }) => {
    const asset = isMeant(path, area) ? assetOfSidecar(area.zone, path) : undefined
    return asset === undefined || known.has(asset) ? [] : [asset]
  })
}

/** Assets, placeholders and what is known of assets; what else lies there is nobody's to bring back. */
export function isMeant(path: string, { zone, below }: Area): boolean {
  const inZone = path.slice(clientsDirectory.length + 1)
  const asset = path.startsWith(`${ownDirectoryOf(zone)}/`) ? describedBy(zone, path) : inZone
  if (asset === undefined || !(asset === below || asset.startsWith(`${below}/`))) return false
  return isAssetPath(asset) || fileNameOf(asset) === placeholderName
}

/** A clone on some systems could not hold two spellings of one directory. */
async function requireSpelling(tree: Tree, path: string): Promise<void> {
  const spelling = await tree.spelling(path)
  if (spelling !== path) throw pathConflict(path, `is stored as "${spelling}"`)
}

/** What the zone has let go cannot be there again. */
async function requireKept(
  files: readonly TreeDifference[],
  blobById: ReadonlyMap<string, BlobRef>,
): Promise<void> {
  const gone = await flatMapInTurns(files, filesPerTurn, (file) =>
    isLetGo(blobById.get(file.after ?? '')?.sha256) ? [file] : [],
  )
  if (gone.length === 0) return
  const [first] = gone
  const names = `"${first?.path.slice(clientsDirectory.length + 1)}"${gone.length > 1 ? ` and ${gone.length - 1} more` : ''}`
  throw new ServiceError(
    'VersionGone',
    `What the commit has of ${names} is older than what the zone keeps, and was let go`,
    { target: 'Commit' },
  )
}

/** SHA-256 and size of each content. What the blob store has forgotten is brought there again. */
async function blobsOf(
  files: readonly TreeDifference[],
  source: Tree,
  { former, blobs }: Wanted,
): Promise<ReadonlyMap<string, BlobRef>> {
  const blobById = new Map(former?.blobById)
  const missing = await flatMapInTurns(files, filesPerTurn, (file) =>
    file.after !== undefined && !blobById.has(file.after) ? [file] : [],
  )
  await mapConcurrently(missing, filesUnderWay, async ({ path, after = '' }) => {
    const found = await source.find(path)
    if (found?.kind !== 'file') return
    const blob = await found.blob()
    const isThere = (await blobs.stat(blob.sha256)) !== undefined
    blobById.set(after, isThere ? blob : await found.keep())
  })
  return blobById
}

function putOf(
  { path, after }: TreeDifference,
  blobById: ReadonlyMap<string, BlobRef>,
  typeByPath: ReadonlyMap<string, string>,
): Put[] {
  const blob = after === undefined ? undefined : blobById.get(after)
  if (after === undefined || blob === undefined) return []
  const put: Put = { kind: 'put', path, blob, content: { id: after, from: 'stored' } }
  const contentType = typeByPath.get(path)
  return [contentType === undefined ? put : { ...put, contentType }]
}

/** Files whose bytes are the same and whose media type was another. */
async function retypedPuts(
  tree: Tree,
  files: readonly TreeDifference[],
  wanted: Wanted,
): Promise<readonly Put[]> {
  const { from, content } = wanted
  const differing = new Set(files.map(({ path }) => path))
  const assets = await typedAssets(wanted)
  const puts: Put[] = []
  const turns = takeTurns(filesPerTurn)
  for (let start = 0; start < assets.length; start += filesPerTurn) {
    const some = assets.slice(start, start + filesPerTurn)
    const paths = some.map(({ path }) => `${clientsDirectory}/${path}`)
    const typeByPath = await content.declaredTypes(from.id, paths)
    for (const { name, path: asset, contentType: now } of some) {
      await turns.after(1)
      const path = `${clientsDirectory}/${asset}`
      const then = typeByPath.get(path) ?? contentTypeOf(name)
      const found = then === now || differing.has(path) ? undefined : await tree.find(path)
      if (found?.kind !== 'file') continue
      const known = { id: found.contentId, from: 'stored' } as const
      const blob = await found.blob()
      puts.push({ kind: 'put', path, blob, content: known, contentType: then })
    }
  }
  return puts
}

/** Published files that may have a type that their names do not say; all where it is not known which. */
async function typedAssets({
  zone,
  below,
  content,
  published,
  paths,
}: Wanted): Promise<readonly AssetRecord[]> {
  const isBelow = (path: string) =>
    (path === below || path.startsWith(`${below}/`)) &&
    (paths?.has(`${clientsDirectory}/${path}`) ?? true)
  const declared = await content.declaredPaths()
  if (declared === undefined)
    return await flatMapInTurns(published.zoneFiles(zone), filesPerTurn, (asset) =>
      isBelow(asset.path) ? [asset] : [],
    )
  return await flatMapInTurns(declared, filesPerTurn, (path) => {
    const asset = path.slice(clientsDirectory.length + 1)
    const found = isBelow(asset) ? published.asset(asset) : undefined
    return found === undefined ? [] : [found]
  })
}
