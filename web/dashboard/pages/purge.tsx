import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Purge. */
export const Page = () => (
  <>
    <PageHeader title="Purge" />
    <EmptyState icon="sweep" title="This page is still to be built">
      <p>
        Until then edges are purged with <code>/api/purge</code>.
      </p>
    </EmptyState>
  </>
)
