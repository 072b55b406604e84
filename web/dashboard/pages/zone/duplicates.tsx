import { usePages } from '../../api/queries.ts'
import { DuplicateGroup } from '../../duplicates/duplicate-group.tsx'
import { t } from '../../language/text.ts'
import { EmptyState } from '../../parts/feedback/empty-state.tsx'
import { QueryResult } from '../../parts/feedback/query-result.tsx'
import { ZoneSelect } from '../../parts/forms/zone-select.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { useSearch } from '../../router.tsx'

/** Images that are there more than once, or nearly, and the way to one of each. */
export function Page() {
  const [{ zone }, change] = useSearch()
  const query = usePages('listDuplicates', zone === undefined ? {} : { project: zone }, {
    cursor: 'after',
  })
  return (
    <div className="stack">
      <PageHeader
        title={t('Duplicates')}
        lead={t(
          'Images that look alike: the same bytes, another size, another format. Use one for all, and the URLs of the others lead to it.',
        )}
      />
      <ZoneSelect
        value={zone ?? ''}
        all={t('All zones')}
        onChange={(next) => change({ zone: next === '' ? undefined : next })}
      />
      <QueryResult query={query} label={t('The duplicates are loading')}>
        {({ pages }) => {
          const groups = pages.flatMap(({ Groups }) => Groups)
          return groups.length === 0 && !query.hasNextPage ? (
            <EmptyState icon="copy" title={t('Nothing is there twice')}>
              <p>
                {t(
                  'Images are compared once they have been looked at, soon after they are stored.',
                )}
              </p>
            </EmptyState>
          ) : (
            <div className="cards">
              {groups.map((group) => (
                <DuplicateGroup key={group.Path} group={group} />
              ))}
            </div>
          )
        }}
      </QueryResult>
      <LoadMore query={query}>{t('Look for more')}</LoadMore>
    </div>
  )
}
