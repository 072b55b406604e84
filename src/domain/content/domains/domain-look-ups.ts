import type { DomainRecord } from '../../../ports/records/domain.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import { ServiceError, zoneNotFound } from '../../errors.ts'
import { parseHostName } from './host-name.ts'

/** What is known of the zones' host names right now. */
export interface DomainLookUps {
  find(zone: string, hostname: string): DomainRecord
  /** By host name, claims among them. */
  listOf(zone: string): readonly DomainRecord[]
  /** Those that are served: not what is only claimed. */
  servedOf(zone: string): readonly DomainRecord[]
  zoneOfHost(hostname: string): string | undefined
  /** The domain of a host name as it stands in a record, where it is served. */
  ofHost(hostname: string): DomainRecord | undefined
  all(): Iterable<DomainRecord>
}

export const createLookUps = (
  domainsByHost: ReadonlyMap<string, DomainRecord>,
  published: Pick<Manifest, 'zone'>,
): DomainLookUps => {
  const listOf = (zone: string) =>
    [...domainsByHost.values()]
      .filter((domain) => domain.zone === zone)
      .toSorted((a, b) => (a.hostname < b.hostname ? -1 : 1))
  const ofHost = (hostname: string) => {
    const domain = domainsByHost.get(hostname)
    return domain?.isProven === true ? domain : undefined
  }
  return {
    find(zone, text) {
      if (!published.zone(zone)) throw zoneNotFound(zone)
      const domain = domainsByHost.get(parseHostName(text))
      if (!domain || domain.zone !== zone)
        throw new ServiceError('NotFound', `Zone "${zone}" has no domain "${text}"`, {
          target: 'Hostname',
        })
      return domain
    },
    listOf,
    servedOf: (zone) => listOf(zone).filter(({ isProven }) => isProven),
    zoneOfHost: (hostname) => ofHost(hostname)?.zone,
    ofHost,
    all: () => domainsByHost.values(),
  }
}
