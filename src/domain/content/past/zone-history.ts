import type { Commit, ContentStore } from '../../../ports/content/content-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import { invalid, zoneNotFound } from '../../errors.ts'
import { zoneDirectory } from '../zone-settings.ts'
import { isOfZone } from './pin-source.ts'

export type ZoneCommit = Omit<Commit, 'changes'>

/** The commits that changed a zone, from the one that made it on. */
export interface ZoneHistory {
  /** Newest first; with `before`, the id of a commit, those before it. */
  commits(
    zone: string,
    page: { readonly limit: number; readonly before?: string | undefined },
    actor: Actor,
  ): Promise<readonly ZoneCommit[]>
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'buildsOn' | 'commitNamed' | 'history'>
  readonly published: Pick<Manifest, 'zone'>
}

export const createZoneHistory = ({ content, published }: Dependencies): ZoneHistory => ({
  async commits(name, { limit, before }, actor) {
    requireZone(actor, name)
    const zone = published.zone(name)
    if (zone === undefined) throw zoneNotFound(name)
    const until = before === undefined ? undefined : await content.commitNamed(before)
    if (before !== undefined && (until === undefined || until === 'ambiguous'))
      throw invalid('before', 'must be the id of a commit')
    if (until !== undefined && until !== 'ambiguous' && !(await isOfZone(zone, until, content)))
      return []
    const span = { since: zone.commitId, ...(typeof until === 'object' && { until: until.id }) }
    const found = await content.history(zoneDirectory(name), limit + 1, span)
    return found
      .filter(({ id, committedAt }) => id !== span.until && isYoung(zone, committedAt))
      .slice(0, limit)
  },
})

/** Where the commit that made the zone is known it says more than the time. */
const isYoung = (
  { commitId, createdAt }: { readonly commitId?: string; readonly createdAt: Date },
  committedAt: Date,
): boolean => commitId !== undefined || committedAt >= createdAt
