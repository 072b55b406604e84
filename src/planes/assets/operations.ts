import type { Catalog } from '../../domain/catalog/catalog.ts'
import type { Operation } from '../../http/operation.ts'
import { assetEventsOperation, type AssetEventsDependencies } from './asset-events.ts'
import { assetHistoryOperations, type HistoryDependencies } from './asset-history.ts'
import { assetMetadataOperations, type MetadataDependencies } from './asset-metadata.ts'
import { listAssetsOperation } from './list-assets.ts'
import { signAssetOperation, type SignDependencies } from './sign-asset.ts'

export interface AssetsDependencies
  extends MetadataDependencies, HistoryDependencies, AssetEventsDependencies, SignDependencies {
  readonly catalog: Catalog
}

export const assetsOperations = (dependencies: AssetsDependencies): readonly Operation[] => [
  listAssetsOperation(dependencies),
  ...assetMetadataOperations(dependencies),
  ...assetHistoryOperations(dependencies),
  assetEventsOperation(dependencies),
  signAssetOperation(dependencies),
]
