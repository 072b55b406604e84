import { ServiceError } from '../../errors.ts'
import { unerased } from '../erased-bytes.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { AssetRecord } from '../../../ports/records/asset.ts'

/** Whether its time is over: then it is as good as gone for all but its owner. */
export const hasExpired = ({ metadata }: Pick<AssetRecord, 'metadata'>, now: Date): boolean =>
  metadata?.expiresAt !== undefined && metadata.expiresAt <= now

/** What is published, to be delivered from. Asking for an asset whose bytes are erased throws `Erased`. */
export interface Deliverable extends Pick<Manifest, 'asset' | 'zone'> {
  /** Whether the time of an asset is over. Left out where nothing has one. */
  readonly hasExpired?: (asset: Pick<AssetRecord, 'metadata'>) => boolean
}

export const deliverableAt = (
  published: Pick<Manifest, 'asset' | 'zone' | 'isErased'>,
  now: () => Date,
): Required<Deliverable> => ({
  asset: (path) => unerased(path, published.asset(path), published),
  zone: (name) => published.zone(name),
  hasExpired: (asset) => hasExpired(asset, now()),
})

/** The same without what is over, for what may do with what is left. */
export const unexpired = ({ asset, hasExpired: isOver }: Deliverable): Pick<Manifest, 'asset'> => ({
  asset(path) {
    const found = asset(path)
    return found && isOver?.(found) === true ? undefined : found
  },
})

/** Throws `AssetExpired` where there were some, and the time of all of them is over. */
export function requireUnexpired(
  assets: readonly AssetRecord[],
  { hasExpired: isOver }: Deliverable,
): void {
  const [first] = assets
  if (first && isOver && assets.every((asset) => isOver(asset)))
    throw new ServiceError('AssetExpired', `The asset at "${first.path}" has expired`)
}

/** When the first of them is over. */
export function earliestExpiry(assets: readonly AssetRecord[]): Date | undefined {
  const moments = assets.flatMap(({ metadata }) => metadata?.expiresAt ?? [])
  return moments.toSorted((one, other) => one.getTime() - other.getTime())[0]
}
