import { Failure } from '../parts/failure.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Loading } from '../parts/loading.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { useOperation } from '../api/queries.ts'
import { Link } from '../router.tsx'

/** What there is, how it is, and what to do next. */
export function Page() {
  const zones = useOperation('listZones', {})
  if (zones.isPending) return <Loading label="The zones are loading" />
  if (zones.isError) return <Failure error={zones.error} onRetry={() => void zones.refetch()} />
  const files = zones.data.reduce((sum, { FileCount }) => sum + FileCount, 0)
  const bytes = zones.data.reduce((sum, { StorageUsed }) => sum + StorageUsed, 0)
  return (
    <>
      <PageHeader title="Overview" lead="What is stored and what is delivered." />
      <dl className="figures">
        <Figure name="Zones" value={humanNumber(zones.data.length)} />
        <Figure name="Assets" value={humanNumber(files)} />
        <Figure name="Stored" value={humanBytes(bytes)} />
      </dl>
      <p className="next-step">
        <Link page={zones.data.length === 0 ? 'zones' : 'upload'} className="button button-primary">
          {zones.data.length === 0 ? 'Create the first zone' : 'Upload files'}
        </Link>
      </p>
    </>
  )
}

const Figure = ({ name, value }: { readonly name: string; readonly value: string }) => (
  <div className="card figure">
    <dt>{name}</dt>
    <dd>{value}</dd>
  </div>
)
