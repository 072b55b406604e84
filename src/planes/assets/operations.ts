import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { Operation } from '../../http/operation.ts'
import { assetMetadataOperations, type MetadataDependencies } from './asset-metadata.ts'
import { listAssetsOperation } from './list-assets.ts'

export interface AssetsDependencies extends MetadataDependencies {
  readonly catalog: Catalog
}

export const assetsOperations = (dependencies: AssetsDependencies): readonly Operation[] => [
  listAssetsOperation(dependencies),
  ...assetMetadataOperations(dependencies),
]
