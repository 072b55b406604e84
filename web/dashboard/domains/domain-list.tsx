import { useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { DomainTable } from './domain-table.tsx'

const refreshMs = 10_000
const most = 500

/** The host names of all zones. */
export function AllDomains() {
  const domains = useOperation('listAllDomains', { limit: most }, { refetchEveryMs: refreshMs })
  return (
    <QueryResult query={domains} label={t('The domains are loading')}>
      {({ Domains, Next }) => (
        <>
          {Domains.length === 0 ? <NoDomain /> : <DomainTable domains={Domains} hasZones />}
          {Next !== null && (
            <p className="fine-print">
              {t('These are the first {most}. Choose a zone to see the others.', { most })}
            </p>
          )}
        </>
      )}
    </QueryResult>
  )
}

/** Those of one zone. */
export function DomainsOf({ zone }: { readonly zone: string }) {
  // A state changes by itself: DNS is looked at, a certificate arrives.
  const domains = useOperation('listDomains', { id: zone }, { refetchEveryMs: refreshMs })
  return (
    <QueryResult query={domains} label={t('The domains are loading')}>
      {(all) =>
        all.length === 0 ? <NoDomain zone={zone} /> : <DomainTable domains={all} hasZones={false} />
      }
    </QueryResult>
  )
}

const NoDomain = ({ zone }: { readonly zone?: string }) => (
  <EmptyState
    icon="globe"
    title={
      zone === undefined
        ? t('No zone has a domain yet')
        : t('{zone} has no domain of its own', { zone })
    }
  >
    <ol className="teaching">
      <li>{t('Add a host name above, such as assets.example.com.')}</li>
      <li>{t('Set the DNS record that is shown with it at your DNS provider.')}</li>
      <li>{t('The certificate follows by itself, and is renewed by itself.')}</li>
    </ol>
    <p>
      {rich('Until then files are at {url}. <link>How it works</link>', {
        url: <code>{`${location.origin}/${zone ?? '<zone>'}/v1/…`}</code>,
        link: (text) => <a href="/docs/custom-domains">{text}</a>,
      })}
    </p>
  </EmptyState>
)
