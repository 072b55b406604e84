import { SqlUsageStore } from '../../adapters/sql/usage/sql-usage-store.ts'
import type { ZoneBounds } from '../../domain/access/quotas/zone-bounds.ts'
import type { Catalog } from '../../domain/catalog/catalog.ts'
import { monthOf } from '../../domain/insights/period.ts'
import type { Publisher } from '../../domain/publishing/publisher.ts'
import {
  createZoneRoom,
  type ShownZones,
  type ZoneRoom,
} from '../../domain/publishing/room/zone-room.ts'
import type { World } from '../world.ts'
import type { Stores } from '../content/stores.ts'

interface RoomParts {
  readonly bounds: ZoneBounds
  readonly catalog: Catalog
  /** It is made with the room, and there when somebody asks. */
  readonly publisher: () => Pick<Publisher, 'isCurrent'>
}

/** What zones may still take in, live and in previews. */
export interface ZoneRooms {
  readonly room: ZoneRoom
  /** Of a preview that shows so much. */
  readonly roomIn: (shown: ShownZones) => ZoneRoom
}

export function createRooms(
  { now }: Pick<World, 'now'>,
  { database }: Pick<Stores, 'database'>,
  { bounds, catalog, publisher }: RoomParts,
): ZoneRooms {
  const usage = new SqlUsageStore(database)
  async function uploadsOf(zone: string): Promise<number> {
    const sums = await usage.sums({ ...monthOf(now()), zones: new Set([zone]) })
    return sums.get(zone)?.uploads ?? 0
  }
  const common = { uploadsOf, now }
  /** What a preview has is no upload before it is live. */
  const ofPreviews: Pick<ZoneBounds, 'limitOf'> = {
    limitOf: (zone, name) => (name === 'uploads' ? undefined : bounds.limitOf(zone, name)),
  }
  return {
    room: createZoneRoom({
      ...common,
      bounds,
      shown: catalog,
      isCurrent: () => publisher().isCurrent,
    }),
    roomIn: (shown) =>
      createZoneRoom({ ...common, bounds: ofPreviews, shown, isCurrent: () => true }),
  }
}
