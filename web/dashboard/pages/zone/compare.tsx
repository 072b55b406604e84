import { useState } from 'react'

import { usePages } from '../../api/queries.ts'
import { ComparedFiles } from '../../history/compared-files.tsx'
import { ComparedMoments } from '../../history/compared-moments.tsx'
import { changes, countAll, type Differences } from '../../history/difference.tsx'
import { FileComparison } from '../../history/file-comparison.tsx'
import { RestoreZone } from '../../history/restore-zone.tsx'
import { t } from '../../language/text.ts'
import { EmptyState } from '../../parts/feedback/empty-state.tsx'
import { Failure } from '../../parts/feedback/failure.tsx'
import { Loading } from '../../parts/feedback/query-result.tsx'
import { LoadMore } from '../../parts/load-more.tsx'
import { OneZone } from '../../parts/one-zone.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import type { Search } from '../../page-parameters.ts'
import { useSearch } from '../../router.tsx'

/** Two moments of a zone side by side. */
export const Page = () => (
  <>
    <PageHeader
      title={t('Compare')}
      lead={t('Two moments of a zone side by side. The URL says which: send it to others.')}
    />
    <OneZone page="history" what="A comparison">
      {({ Name }) => <Comparison key={Name} zone={Name} />}
    </OneZone>
  </>
)

const perPage = 60

function Comparison({ zone }: { readonly zone: string }) {
  const [search] = useSearch()
  const found = usePages('getZoneDifferences', wantedDifferences(zone, search), { cursor: 'after' })
  const [restored, setRestored] = useState<string>()
  if (found.isPending) return <Loading label={t('What differs is loading')} />
  const [first] = found.data?.pages ?? []
  if (first === undefined)
    return <Failure error={found.error} onRetry={() => void found.refetch()} />
  return (
    <div className="stack">
      <ComparedMoments
        zone={zone}
        first={first}
        isNow={search.to === undefined}
        onRestore={setRestored}
      />
      <Files zone={zone} pages={found.data?.pages ?? []} first={first} />
      <LoadMore query={found}>{t('Show more files')}</LoadMore>
      {restored !== undefined && (
        <RestoreZone
          zone={zone}
          commit={restored}
          prefix={search.path}
          onClose={() => setRestored(undefined)}
        />
      )}
    </div>
  )
}

const wantedDifferences = (id: string, { from, to, path, change }: Search) => {
  const kind = changes.find((each) => each === change)
  return {
    id,
    limit: perPage,
    ...(from !== undefined && { from }),
    ...(to !== undefined && { to }),
    ...(path !== undefined && { path }),
    ...(kind !== undefined && { change: kind }),
  }
}

interface FilesProps {
  readonly zone: string
  readonly pages: readonly Differences[]
  readonly first: Differences
}

function Files({ zone, pages, first }: FilesProps) {
  const [{ file }, change] = useSearch()
  const differences = pages.flatMap(({ Differences }) => Differences)
  const ends = { from: first.From?.Commit, to: first.To.Commit }
  return (
    <>
      {differences.length === 0 ? (
        <NoDifference first={first} />
      ) : (
        <ComparedFiles
          differences={differences}
          ends={ends}
          onOpen={(path) => change({ file: path })}
        />
      )}
      {file !== undefined && (
        <FileComparison
          zone={zone}
          path={file}
          among={differences}
          ends={ends}
          onClose={() => change({ file: undefined, how: undefined })}
        />
      )}
    </>
  )
}

const noneTexts: Readonly<Record<string, string>> = {
  added: t('No file was added'),
  changed: t('No file was changed'),
  removed: t('No file was removed'),
}

function NoDifference({ first }: { readonly first: Differences }) {
  const [{ path, change }] = useSearch()
  if (countAll(first) > 0)
    return (
      <EmptyState icon="check" title={noneTexts[change ?? 'changed'] ?? t('Nothing differs')} />
    )
  return (
    <EmptyState icon="check" title={t('Nothing differs')}>
      <p>
        {path === undefined
          ? t('Both moments have the same files.')
          : t('Both moments have the same files in {path}.', { path })}
      </p>
    </EmptyState>
  )
}
