import type { Asset, AssetMetadata } from '../asset.ts'

/** What lists say of an asset, of one that is known better. */
export const plainOf = ({ Path, Name, Project, Category, Format, Size }: AssetMetadata): Asset => ({
  path: Path,
  name: Name,
  project: Project,
  category: Category,
  format: Format,
  size: Size,
})
