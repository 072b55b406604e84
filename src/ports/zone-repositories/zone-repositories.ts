import type { ZoneRecord } from '../records/zone.ts'
import type { CloneSource } from '../content/clone-source.ts'

/** A zone, and the commit that made it: what is older is of a former zone of its name. */
export type ZoneOrigin = Pick<ZoneRecord, 'name' | 'commitId'>

/**
 * The histories of single zones, each as a repository whose root is the directory of the zone. What it
 * has is a function of the whole history: made anew it is the same, id for id.
 */
export interface ZoneRepositories {
  /** As of the newest published commit. Nothing that is not in it can be fetched from what it answers. */
  open(zone: ZoneOrigin): Promise<CloneSource>
  /** Forgets those of zones that are none of these. They are made anew where somebody asks. */
  keepOnly(zones: ReadonlySet<string>): Promise<void>
}
