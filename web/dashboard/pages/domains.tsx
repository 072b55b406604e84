import { Link, useSearch } from '../router.tsx'
import { useOperation } from '../api/queries.ts'
import { AddDomain } from '../domains/add-domain.tsx'
import { DomainCard } from '../domains/domain-card.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { ZoneSelect } from '../parts/forms/zone-select.tsx'

const refreshMs = 10_000

/** Host names of a zone's own. */
export function Page() {
  const zones = useOperation('listZones', {})
  return (
    <>
      <PageHeader
        title="Domains"
        lead="A zone's files under a host name of its own, with a certificate that takes care of itself."
      />
      <QueryResult query={zones} label="The zones are loading">
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon="layers" title="A domain belongs to a zone">
              <p className="row">
                <Link page="zones" className="button button-primary">
                  Create the first zone
                </Link>
              </p>
            </EmptyState>
          ) : (
            <ZoneDomains names={all.map(({ Name }) => Name)} />
          )
        }
      </QueryResult>
    </>
  )
}

function ZoneDomains({ names }: { readonly names: readonly string[] }) {
  const [search, change] = useSearch()
  const zone = names.find((name) => name === search['zone']) ?? names[0] ?? ''
  // A state changes by itself: DNS is looked at, a certificate arrives.
  const domains = useOperation('listDomains', { id: zone }, { refetchEveryMs: refreshMs })
  return (
    <div className="stack">
      <div className="toolbar">
        <ZoneSelect value={zone} onChange={(next) => change({ zone: next })} />
      </div>
      <AddDomain zone={zone} />
      <QueryResult query={domains} label="The domains are loading">
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon="globe" title={`${zone} has no domain of its own`}>
              <p>
                Add a host name above, set the DNS record that is shown with it, and its certificate
                follows by itself. Until then files are at{' '}
                <code>{`${location.origin}/${zone}/v1/`}</code>.{' '}
                <a href="/docs/custom-domains">How it works</a>
              </p>
            </EmptyState>
          ) : (
            <div className="cards">
              {all.map((domain) => (
                <DomainCard key={domain.Hostname} zone={zone} domain={domain} />
              ))}
            </div>
          )
        }
      </QueryResult>
    </div>
  )
}
