import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Insights. */
export const Page = () => (
  <>
    <PageHeader title="Insights" />
    <EmptyState icon="chart" title="This page is still to be built">
      <p>
        Until then reports are read from <code>/api/insights/…</code>.
      </p>
    </EmptyState>
  </>
)
