import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'
import { ServiceError } from '../../errors.ts'
import { type Deliverable, requireUnexpired } from './expiry.ts'

interface Terms {
  /** Whether a signature opens what is private. */
  readonly isSigned: boolean
  /** The field that names the asset. */
  readonly target?: string
}

/** Reachable with a signature alone. */
const privateCategory = 'private'

export const isPrivate = ({ category }: Pick<AssetRecord, 'category'>): boolean =>
  category === privateCategory

/**
 * The asset, where whoever asks may have it: what is private or in a disabled zone looks like what is
 * not there, and a suspended zone says so.
 */
export function deliveredAsset(
  published: Deliverable,
  path: string,
  { isSigned, target = 'path' }: Terms,
): AssetRecord {
  const asset = published.asset(path)
  if (!asset || (isPrivate(asset) && !isSigned)) throw absent(path, target)
  requireOpenZone(published, asset.zone, path)
  requireUnexpired([asset], published)
  return asset
}

/** Refuses what is below a zone that is not delivered. */
export function requireOpenZone(
  published: Pick<Manifest, 'zone'>,
  name: string,
  path: string,
): void {
  const zone = published.zone(name)
  if (!zone?.enabled) throw absent(path)
  if (zone.suspended) throw new ServiceError('ZoneSuspended', `Zone "${name}" is suspended`)
  if (zone.delivery === 'cut')
    throw new ServiceError('limit_reached', `Zone "${name}" has used up what it may deliver`)
}

const absent = (path: string, target = 'path'): ServiceError =>
  new ServiceError('AssetNotFound', `No asset at "${path}"`, { target })
