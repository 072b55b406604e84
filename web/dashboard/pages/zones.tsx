import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Zones. */
export const Page = () => (
  <>
    <PageHeader title="Zones" />
    <EmptyState icon="layers" title="This page is still to be built">
      <p>
        Until then zones are kept with <code>/api/core/zones</code>.
      </p>
    </EmptyState>
  </>
)
