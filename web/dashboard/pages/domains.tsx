import { AddDomain } from '../domains/add-domain.tsx'
import { AllDomains, DomainsOf } from '../domains/domain-list.tsx'
import { t } from '../language/text.ts'
import { ZoneSelect } from '../parts/forms/zone-select.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { useSearch } from '../router.tsx'

/** Host names of zones' own. */
export function Page() {
  const [{ zone }, change] = useSearch()
  return (
    <>
      <PageHeader
        title={t('Domains')}
        lead={t(
          "A zone's files under a host name of its own, with a certificate that takes care of itself.",
        )}
      />
      <div className="toolbar">
        <ZoneSelect
          value={zone ?? ''}
          all={t('All zones')}
          onChange={(next) => change({ zone: next === '' ? undefined : next })}
        />
      </div>
      <div className="stack">
        <AddDomain key={zone ?? ''} zone={zone} />
        {zone === undefined ? <AllDomains /> : <DomainsOf key={zone} zone={zone} />}
      </div>
    </>
  )
}
