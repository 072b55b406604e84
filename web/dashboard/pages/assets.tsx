import { AssetDetails } from '../assets/details/asset-details.tsx'
import { AssetFilters, ViewSwitch } from '../assets/asset-filters.tsx'
import { AssetGrid } from '../assets/asset-grid.tsx'
import { AssetList } from '../assets/asset-list.tsx'
import { type AssetSource, useAssets, useFoundAssets } from '../assets/use-assets.ts'
import { useLiveAssets } from '../assets/use-live-assets.ts'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { humanNumber } from '../parts/format.ts'
import { Loading } from '../parts/feedback/query-result.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import type { Search } from '../page-parameters.ts'
import { Link, useSearch } from '../router.tsx'

/** Everything that is stored, to look through, search and care for. */
export function Page() {
  const [search, change] = useSearch()
  useLiveAssets()
  const byMeaning = search['by'] === 'meaning' && search['q'] !== undefined
  return (
    <div className="asset-page">
      <PageHeader title="Assets">
        <ViewSwitch />
        <Link page="upload" search={{ zone: search['zone'] }} className="button button-primary">
          Upload
        </Link>
      </PageHeader>
      <AssetFilters />
      {byMeaning ? <Found search={search} /> : <Catalogue search={search} />}
      <AssetDetails path={search['asset']} onClose={() => change({ asset: undefined })} />
    </div>
  )
}

const Catalogue = ({ search }: { readonly search: Search }) => (
  <Results source={useAssets(search)} search={search} />
)

const Found = ({ search }: { readonly search: Search }) => (
  <Results source={useFoundAssets(search)} search={search} />
)

function Results({ source, search }: { readonly source: AssetSource; readonly search: Search }) {
  const [, change] = useSearch()
  if (source.error !== null) return <Failure error={source.error} onRetry={() => source.retry()} />
  if (source.isPending) return <Loading label="Assets are loading" />
  if (source.count === 0) return <Nothing search={search} />
  const View = search['view'] === 'list' ? AssetList : AssetGrid
  return (
    <>
      <p className="fine-print asset-count" role="status">
        {source.count === 1 ? '1 asset' : `${humanNumber(source.count)} assets`}
        {source.note !== undefined && `, ${source.note}`}
      </p>
      <View source={source} onOpen={(path) => change({ asset: path })} />
    </>
  )
}

function Nothing({ search }: { readonly search: Search }) {
  const { q, zone, category, format } = search
  if (q === undefined && category === undefined && format === undefined)
    return (
      <EmptyState
        icon="images"
        title={zone === undefined ? 'Nothing is stored yet' : `Nothing is stored in ${zone} yet`}
      >
        <p>Files that you upload appear here within a second.</p>
        <p className="row">
          <Link page="upload" search={{ zone }} className="button button-primary">
            Upload files
          </Link>
        </p>
      </EmptyState>
    )
  return (
    <EmptyState icon="search" title="Nothing fits">
      <p>
        No asset fits these filters. <Link page="assets">Show all assets</Link>, or{' '}
        {search['by'] === 'meaning' ? 'try' : 'search by meaning with'} other words for it, its
        colour or its shape.
      </p>
    </EmptyState>
  )
}
