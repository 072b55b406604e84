import type { ResponseOf } from '../../../../src/client/types.ts'
import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { QueryResult } from '../../parts/feedback/query-result.tsx'
import type { Zone } from '../../parts/one-zone.tsx'
import { Link } from '../../router.tsx'
import { type Quota, quotaAmount, quotaLabel } from './quota-names.ts'

type Quotas = ResponseOf<'getZoneQuotas'>

/** What a zone uses of what it may, as far as anything bounds it. */
export function ZoneQuotas({ zone: { Id, Name } }: { readonly zone: Zone }) {
  const quotas = useOperation('getZoneQuotas', { id: Id })
  return (
    <section className="card">
      <div className="spread">
        <h2>{t('Quotas')}</h2>
        <Link page="zone" search={{ zone: Name, tab: 'settings' }}>
          {t('Settings')}
        </Link>
      </div>
      <QueryResult query={quotas} label={t('The quotas are loading')}>
        {(found) => <Bounded {...found} />}
      </QueryResult>
    </section>
  )
}

const deliveryNotes: Readonly<Record<Quotas['Delivery'], string | undefined>> = {
  whole: undefined,
  degraded: t('It has used up what it may deliver: stored files stand for new variants.'),
  cut: t('It has used up what it may deliver: nothing of it is delivered.'),
}

function Bounded({ Quotas: all, Delivery }: Quotas) {
  const bounded = all.filter(({ Limit }) => Limit !== null)
  const note = deliveryNotes[Delivery]
  return (
    <>
      {note !== undefined && <p role="status">{note}</p>}
      {bounded.length === 0 ? (
        <p className="fine-print">{t('Nothing bounds it.')}</p>
      ) : (
        <ol className="bars">
          {bounded.map((quota) => (
            <Bar key={quota.Name} quota={quota} />
          ))}
        </ol>
      )}
    </>
  )
}

function Bar({ quota }: { readonly quota: Quota }) {
  const { Name, Used, Limit } = quota
  const limit = Limit ?? 0
  const amounts = { used: quotaAmount(quota, Used), limit: quotaAmount(quota, limit) }
  return (
    <li>
      <span>{quotaLabel(Name)}</span>
      <span className="fine-print">{t('{used} of {limit}', amounts)}</span>
      <meter min={0} max={Math.max(limit, 1)} value={Math.min(Used, Math.max(limit, 1))}>
        {Used}
      </meter>
    </li>
  )
}
