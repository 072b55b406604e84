import { useOperation } from '../api/queries.ts'
import { AddDomain } from '../domains/add-domain.tsx'
import { DomainCard } from '../domains/domain-card.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { OneZone } from '../parts/one-zone.tsx'
import { PageHeader } from '../parts/page-header.tsx'

const refreshMs = 10_000

/** Host names of a zone's own. */
export const Page = () => (
  <>
    <PageHeader
      title="Domains"
      lead="A zone's files under a host name of its own, with a certificate that takes care of itself."
    />
    <OneZone page="domains" what="A domain">
      {({ Name }) => <ZoneDomains key={Name} zone={Name} />}
    </OneZone>
  </>
)

function ZoneDomains({ zone }: { readonly zone: string }) {
  // A state changes by itself: DNS is looked at, a certificate arrives.
  const domains = useOperation('listDomains', { id: zone }, { refetchEveryMs: refreshMs })
  return (
    <div className="stack">
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
