import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Assets. */
export const Page = () => (
  <>
    <PageHeader title="Assets" />
    <EmptyState icon="pictures" title="This page is still to be built">
      <p>The files of the zones will be shown here.</p>
    </EmptyState>
  </>
)
