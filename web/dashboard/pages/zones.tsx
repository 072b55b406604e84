import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Button } from '../parts/forms/button.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { useOpening } from '../parts/forms/use-opening.ts'
import { CreateZone } from '../zones/create-zone.tsx'
import { ZoneTable } from '../zones/zone-table.tsx'

/** The tenants. */
export function Page() {
  const zones = useOperation('listZones', {})
  const [isCreating, setCreating] = useOpening()
  return (
    <>
      <PageHeader
        title={t('Zones')}
        lead={t('A zone is a tenant: files, domains and tokens belong to one.')}
      >
        <Button
          kind="primary"
          icon="plus"
          needs={{ scope: 'zones:write', zone: null }}
          onClick={() => setCreating(true)}
        >
          {t('Create a zone')}
        </Button>
      </PageHeader>
      <QueryResult query={zones} label={t('The zones are loading')}>
        {(all) =>
          all.length === 0 ? (
            <EmptyState icon="layers" title={t('There is no zone yet')}>
              <p>{t('Create one, then drop files into it: they are live within a second.')}</p>
              <p className="row">
                <Button
                  kind="primary"
                  icon="plus"
                  needs={{ scope: 'zones:write', zone: null }}
                  onClick={() => setCreating(true)}
                >
                  {t('Create a zone')}
                </Button>
              </p>
            </EmptyState>
          ) : (
            <ZoneTable zones={all} />
          )
        }
      </QueryResult>
      <CreateZone isOpen={isCreating} onClose={() => setCreating(false)} />
    </>
  )
}
