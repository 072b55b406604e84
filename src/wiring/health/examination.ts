import { SqlMediaFactsStore } from '../../adapters/sql/media/sql-media-facts-store.ts'
import { type Finding, inspect, type InspectionOptions } from '../../domain/health/inspection.ts'
import { createLimits } from '../access/limits.ts'
import { openBounds } from '../quotas/open-limits.ts'
import { openPublishing } from '../content/publishing.ts'
import { openStores } from '../content/stores.ts'
import type { World } from '../world.ts'

/** What `sedge doctor` looks at. */
export interface Examination {
  repositoryFaults(): Promise<readonly string[]>
  databaseFaults(): Promise<readonly string[]>
  /** How many files there are to inspect, about. */
  fileCount(): Promise<number>
  inspect(options: InspectionOptions): AsyncIterable<Finding>
}

/** Opens what is stored, without the service, for as long as `examine` takes. */
export async function examineStores<T>(
  world: World,
  examine: (examination: Examination) => Promise<T>,
): Promise<T> {
  await using opening = new AsyncDisposableStack()
  const { content, database, publications, blobs } = await openStores(world, opening)
  return await examine({
    repositoryFaults: () => content.verify(),
    databaseFaults: () => database.integrityFaults(),
    fileCount: () =>
      Array.fromAsync(publications.assets(), ({ path }) => path).then((all) => all.length),
    inspect: (options) => inspect({ tree: content, store: publications, blobs }, options),
  })
}

/** Makes every projection anew from the repository. Answers how many assets there are. */
export async function rebuildProjections(world: World): Promise<number> {
  await using opening = new AsyncDisposableStack()
  const stores = await openStores(world, opening)
  await stores.publications.forgetProjections()
  // Pictures are looked at anew after the next start.
  await new SqlMediaFactsStore(stores.database).forgetFound()
  const limits = createLimits(world, { quotas: stores.quotas, zoneCount: () => 1 })
  const bounds = await openBounds(world, stores)
  const { catalog } = await openPublishing(world, { stores, limits, bounds, opening })
  return catalog.zones().reduce((sum, { name }) => sum + catalog.zoneSummary(name).fileCount, 0)
}
