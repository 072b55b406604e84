import type { DeletedAssetQuery, PastAssets } from '../../../ports/content/past-assets.ts'
import type { AssetMove, DeletedAsset } from '../../../ports/records/past-asset.ts'
import type { Database } from '../database.ts'
import { paddedLists } from '../row-lists.ts'
import { assetMoveOf, deletedAssetOf } from './past-asset-rows.ts'

/** What was deleted and moved, in tables that the publications write. */
export class SqlPastAssets implements PastAssets {
  readonly #database: Database

  constructor(database: Database) {
    this.#database = database
  }

  async deleted({ since, zones, offset, limit }: DeletedAssetQuery) {
    if (zones?.length === 0) return { total: 0, items: [] }
    const wanted = this.#deleted()
      .where('deleted_at', '>=', since.getTime())
      .$if(zones !== undefined, (all) => all.where('zone', 'in', zones ?? []))
    const { total } = await wanted
      .select((select) => select.fn.countAll<number>().as('total'))
      .executeTakeFirstOrThrow()
    const rows = await wanted
      .selectAll()
      .orderBy('deleted_at', 'desc')
      .orderBy('path')
      .offset(offset)
      .limit(limit)
      .execute()
    return { total, items: rows.map(deletedAssetOf) }
  }

  async deletedAt(paths: readonly string[]): Promise<readonly DeletedAsset[]> {
    const found: DeletedAsset[] = []
    for (const list of paddedLists([...new Set(paths)])) {
      const rows = await this.#deleted().selectAll().where('path', 'in', list).execute()
      found.push(...rows.map(deletedAssetOf))
    }
    return found
  }

  async deletedBelow(directory: string, limit: number): Promise<readonly DeletedAsset[]> {
    const rows = await this.#deleted()
      .selectAll()
      .where('path', '>=', `${directory}/`)
      .where('path', '<', `${directory}0`)
      .orderBy('path')
      .limit(limit)
      .execute()
    return rows.map(deletedAssetOf)
  }

  async movesTo(paths: readonly string[]): Promise<readonly AssetMove[]> {
    if (paths.length === 0) return []
    const rows = await this.#database.queries
      .selectFrom('asset_moves')
      .selectAll()
      .where('to_path', 'in', [...paths])
      .orderBy('moved_at', 'desc')
      .execute()
    return rows.map(assetMoveOf)
  }

  /** A path that has a file again is not among them. */
  #deleted() {
    return this.#database.queries
      .selectFrom('deleted_assets')
      .where((where) =>
        where.not(
          where.exists(
            where
              .selectFrom('assets')
              .select('assets.path')
              .whereRef('assets.path', '=', 'deleted_assets.path'),
          ),
        ),
      )
  }
}
