import { type UsagePages, useUsagePages } from '../api/queries.ts'
import { plural, t } from '../language/text.ts'
import { type Column, DataTable } from '../parts/data-table.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { LoadMore } from '../parts/load-more.tsx'
import { Link } from '../router.tsx'
import type { UsageInput, ZoneUsage } from './chosen-usage.ts'

/** What each zone stored and used, the largest first once all are there. */
export function ZoneTable({ input }: { readonly input: UsageInput }) {
  const query = useUsagePages(input)
  return (
    <section className="stack" aria-labelledby="usage-by-zone">
      <h2 id="usage-by-zone">{t('By zone')}</h2>
      <QueryResult query={query} label={t('The zones are loading')}>
        {({ pages }) => {
          const zones = pages.flatMap(({ Zones }) => Zones)
          return zones.length === 0 ? (
            <EmptyState icon="layers" title={t('Nothing was stored or used in this period')}>
              <p>{t('Choose another month, or upload something.')}</p>
            </EmptyState>
          ) : (
            <>
              <DataTable
                label={t('Usage by zone')}
                columns={columns(input.month)}
                rows={query.hasNextPage ? zones : zones.toSorted(byStored)}
                keyOf={({ Zone }) => Zone}
              />
              <p className="field-hint" role="status">
                {countText(zones.length, pages)}
              </p>
              <LoadMore query={query}>{t('Show more zones')}</LoadMore>
            </>
          )
        }}
      </QueryResult>
    </section>
  )
}

const countText = (shown: number, pages: UsagePages): string => {
  const all = pages[0]?.Pagination.TotalItems ?? shown
  return shown < all
    ? t('{shown} of {all} zones', { shown: humanNumber(shown), all: humanNumber(all) })
    : plural(all, { one: '{count} zone', other: '{count} zones' })
}

const byStored = (one: ZoneUsage, other: ZoneUsage): number =>
  other.Totals.StoredBytes - one.Totals.StoredBytes || other.Totals.Bytes - one.Totals.Bytes

const columns = (month: string | undefined): readonly Column<ZoneUsage>[] => [
  {
    title: t('Zone'),
    width: 'minmax(7rem, 2fr)',
    cell: (usage) => <ZoneName usage={usage} month={month} />,
  },
  number(t('Stored'), ({ StoredBytes }) => humanBytes(StoredBytes)),
  { ...number(t('Files'), ({ Files }) => humanNumber(Files)), isOptional: true },
  number(t('Traffic'), ({ Bytes }) => humanBytes(Bytes)),
  number(t('Requests'), ({ Requests }) => humanNumber(Requests)),
  { ...number(t('Transforms'), ({ Transforms }) => humanNumber(Transforms)), isOptional: true },
  { ...number(t('Uploads'), ({ Uploads }) => humanNumber(Uploads)), isOptional: true },
  { ...number(t('AI calls'), ({ AiCalls }) => humanNumber(AiCalls)), isOptional: true },
]

const number = (
  title: string,
  textOf: (totals: ZoneUsage['Totals']) => string,
): Column<ZoneUsage> => ({
  title,
  width: 'minmax(5rem, 1fr)',
  isNumber: true,
  cell: ({ Totals }) => textOf(Totals),
})

interface ZoneNameProps {
  readonly usage: ZoneUsage
  readonly month: string | undefined
}

function ZoneName({ usage: { Zone, Former }, month }: ZoneNameProps) {
  if (Zone === '') return <>{t('No zone')}</>
  if (Former) return <>{t('{zone}, a former zone', { zone: Zone })}</>
  return (
    <Link page="usage" search={{ month, zone: Zone }}>
      {Zone}
    </Link>
  )
}
