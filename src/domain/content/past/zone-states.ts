import type { ContentStore } from '../../../ports/content/content-store.ts'
import type { CommitPoint } from '../../../ports/content/past-commits.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { invalid, ServiceError, zoneNotFound } from '../../errors.ts'
import { parseDirectoryPath } from '../asset-path.ts'
import { isOfZone } from './pin-source.ts'

/** A commit by its id or the first digits of it, or the moment whose commit is meant. */
export type ZoneState = { readonly commit: string } | { readonly moment: Date }

export type ZoneStateSource = Pick<ContentStore, 'buildsOn' | 'commitAsOf' | 'commitNamed'>

export function publishedZone(name: string, published: Pick<Manifest, 'zone'>): ZoneRecord {
  const zone = published.zone(name)
  if (zone === undefined) throw zoneNotFound(name)
  return zone
}

/** The commit of a state of the zone; refuses what is older than the zone, and what is none. */
export async function commitOfState(
  zone: ZoneRecord,
  state: ZoneState,
  content: ZoneStateSource,
): Promise<CommitPoint> {
  const found =
    'commit' in state
      ? await content.commitNamed(state.commit)
      : await content.commitAsOf(state.moment)
  if (found === 'ambiguous') throw invalid('Commit', 'names several commits: write more digits')
  if (found === undefined || !(await isOfZone(zone, found, content)))
    throw noSuchState(zone.name, state)
  return found
}

/** `<zone>/v1`, or what a prefix such as `v1/icons` names below it. */
export function pathBelowZone(zone: string, prefix = 'v1', target = 'Prefix'): string {
  const path = parseDirectoryPath(`${zone}/${prefix.replace(/^\//u, '')}`, target)
  if (path !== `${zone}/v1` && !path.startsWith(`${zone}/v1/`))
    throw invalid(target, 'must be v1, or a path below it')
  return path
}

const noSuchState = (zone: string, state: ZoneState) =>
  new ServiceError(
    'NotFound',
    'commit' in state
      ? `Zone "${zone}" has no commit "${state.commit}"`
      : `Zone "${zone}" was not there at ${state.moment.toISOString()}`,
    { target: 'commit' in state ? 'Commit' : 'Time' },
  )
