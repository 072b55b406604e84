import { reaches } from '../../domain/access/actor.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import { parseAssetPath } from '../../domain/content/asset-path.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Caller } from '../../http/operation.ts'
import type { AssetRecord } from '../../ports/records/asset.ts'

/** The asset that a caller names; one of a zone that it does not reach is not there. */
export function visibleAsset(text: string, caller: Caller, catalog: Catalog): AssetRecord {
  const path = parseAssetPath(text)
  const asset = catalog.asset(path)
  if (!asset || !reaches(caller, asset.zone))
    throw new ServiceError('AssetNotFound', `No asset at "${path}"`, { target: 'path' })
  return asset
}
