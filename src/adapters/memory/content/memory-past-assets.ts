import type { DeletedAssetQuery, PastAssets } from '../../../ports/content/past-assets.ts'
import type { AssetMove, DeletedAsset } from '../../../ports/records/past-asset.ts'
import { byBytes, type MemoryDatabase } from './memory-database.ts'

/** PastAssets for tests and demos. */
export class MemoryPastAssets implements PastAssets {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async deleted({ since, zones, offset, limit }: DeletedAssetQuery) {
    const items = this.#all()
      .filter(({ deletedAt, zone }) => deletedAt >= since && (zones?.includes(zone) ?? true))
      .toSorted((a, b) => b.deletedAt.getTime() - a.deletedAt.getTime())
    return { total: items.length, items: items.slice(offset, offset + limit) }
  }

  async deletedAt(paths: readonly string[]): Promise<readonly DeletedAsset[]> {
    const wanted = new Set(paths)
    return this.#all().filter(({ path }) => wanted.has(path))
  }

  async deletedBelow(directory: string, limit: number): Promise<readonly DeletedAsset[]> {
    return this.#all()
      .filter(({ path }) => path.startsWith(`${directory}/`))
      .slice(0, limit)
  }

  async movesTo(paths: readonly string[]): Promise<readonly AssetMove[]> {
    const wanted = new Set(paths)
    return this.#database.moves
      .filter(({ to }) => wanted.has(to))
      .toSorted((a, b) => b.movedAt.getTime() - a.movedAt.getTime())
  }

  #all(): DeletedAsset[] {
    const { deletedByPath, assetByPath } = this.#database
    return [...deletedByPath.values()]
      .filter(({ path }) => !assetByPath.has(path))
      .toSorted((a, b) => byBytes(a.path, b.path))
  }
}
