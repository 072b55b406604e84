import type { PastAssets } from '../../../ports/content/past-assets.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type DeletedAsset, deletionsKnownMs } from '../../../ports/records/past-asset.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { invalid, ServiceError, zoneNotFound } from '../../errors.ts'
import type { AssetPath } from '../asset-path.ts'
import { createFaults } from './edit-faults.ts'
import { maxEditedFiles } from './file-edit.ts'
import { requireOpenZone } from './files.ts'
import type { Restorations, RestoredFile } from './restorations.ts'

/** What a request wants back. */
export interface WantedBack {
  readonly path: AssetPath
  /** All that was deleted below it. */
  readonly isDirectory: boolean
  /** What the request calls it, for refusals. */
  readonly field: string
}

export interface DeletedPage {
  readonly items: readonly DeletedAsset[]
  readonly page: number
  readonly perPage: number
  readonly totalItems: number
  readonly totalPages: number
}

export interface RestoredFiles {
  /** Absent of a dry run. */
  readonly commitId: string | undefined
  readonly paths: readonly AssetPath[]
}

/** What was deleted in the last 30 days and can be brought back. */
export interface DeletedFiles {
  /** The newest deletion first; of one zone where it is named. */
  list(
    query: { readonly zone: string | undefined; readonly page: number; readonly perPage: number },
    actor: Actor,
  ): Promise<DeletedPage>
  /** All of it in one commit, with what was known of it, or nothing. */
  restore(
    request: { readonly wanted: readonly WantedBack[]; readonly isDryRun: boolean },
    actor: Actor,
  ): Promise<RestoredFiles>
}

interface Dependencies {
  readonly past: PastAssets
  readonly published: Pick<Manifest, 'zone'>
  readonly restorations: Restorations
  readonly now: () => Date
}

/** What can be read of them alone. */
export const createDeletedList = ({
  past,
  published,
  now,
}: Omit<Dependencies, 'restorations'>): Pick<DeletedFiles, 'list'> => ({
  async list({ zone, page, perPage }, actor) {
    if (zone !== undefined) {
      requireZone(actor, zone)
      if (published.zone(zone) === undefined) throw zoneNotFound(zone)
    }
    const { total, items } = await past.deleted({
      since: new Date(now().getTime() - deletionsKnownMs),
      zones: zone === undefined ? actor.zones && [...actor.zones] : [zone],
      offset: (page - 1) * perPage,
      limit: perPage,
    })
    const totalPages = Math.max(1, Math.ceil(total / perPage))
    return { items, page, perPage, totalItems: total, totalPages }
  },
})

export const createDeletedFiles = ({
  past,
  published,
  restorations,
  now,
}: Dependencies): DeletedFiles => ({
  ...createDeletedList({ past, published, now }),
  async restore({ wanted, isDryRun }, actor) {
    const deleted = await deletedOf(wanted, { past, published, actor })
    const files = deleted.map(({ asset, field }): RestoredFile => ({
      path: asset.path as AssetPath,
      commitId: asset.lastCommitId,
      contentType: asset.contentType,
      blob: { sha256: asset.sha256, sizeBytes: asset.sizeBytes },
      field,
    }))
    return await restorations.apply({ files, isDryRun }, actor)
  },
})

interface Found {
  readonly asset: DeletedAsset
  readonly field: string
}

interface Search extends Pick<Dependencies, 'past' | 'published'> {
  readonly actor: Actor
}

async function deletedOf(
  wanted: readonly WantedBack[],
  { past, published, actor }: Search,
): Promise<readonly Found[]> {
  const faults = createFaults(wanted.length)
  const foundByPath = new Map<string, Found>()
  const files = wanted.filter(({ isDirectory }) => !isDirectory).map(({ path }) => path)
  const assetByPath = new Map(
    (await past.deletedAt(files)).map((asset) => [asset.path, asset] as const),
  )
  const deletedAt = async ({ path, isDirectory }: WantedBack) =>
    isDirectory ? past.deletedBelow(path, maxEditedFiles + 1) : [assetByPath.get(path) ?? []].flat()
  for (const each of wanted)
    await faults.noting(each.field, async () => {
      requireOpenZone(each.path, actor, published)
      const assets = await deletedAt(each)
      if (assets.length === 0) throw nothingDeleted(each)
      for (const asset of assets) foundByPath.set(asset.path, { asset, field: each.field })
    })
  faults.throwAny()
  if (foundByPath.size > maxEditedFiles)
    throw invalid(
      wanted[0]?.field ?? 'Paths',
      `and the others are more than ${maxEditedFiles} files, which is as many as can be changed at once`,
    )
  return [...foundByPath.values()]
}

const nothingDeleted = ({ path, field }: WantedBack) =>
  new ServiceError('AssetNotFound', `Nothing at "${path}" was deleted in the last 30 days`, {
    target: field,
  })
