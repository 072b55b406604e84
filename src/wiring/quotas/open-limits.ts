import { SqlZoneQuotaStore } from '../../adapters/sql/zone-quotas/sql-zone-quota-store.ts'
import { openZoneBounds, type ZoneBounds } from '../../domain/access/quotas/zone-bounds.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import { createLimits, type Limits } from '../access/limits.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'

/** What every zone may have and use. */
export const openBounds = async (
  { config, now }: Pick<World, 'config' | 'now'>,
  { database }: Pick<Stores, 'database'>,
): Promise<ZoneBounds> =>
  await openZoneBounds({
    store: new SqlZoneQuotaStore(database),
    defaults: config.zoneQuotas,
    now,
  })

/** The same, with everything that runs out. The catalogue is there when somebody asks. */
export async function openLimits(
  world: World,
  stores: Pick<Stores, 'database' | 'quotas'>,
  catalog: () => Pick<Catalog, 'zone' | 'zones'>,
): Promise<{ readonly bounds: ZoneBounds; readonly limits: Limits }> {
  const bounds = await openBounds(world, stores)
  const limits = createLimits(world, {
    quotas: stores.quotas,
    zoneCount: () => catalog().zones().length,
    bounds,
    deliveryOf: (zone) => catalog().zone(zone)?.delivery,
  })
  return { bounds, limits }
}
