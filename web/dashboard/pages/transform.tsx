import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Transform. */
export const Page = () => (
  <>
    <PageHeader title="Transform" />
    <EmptyState icon="crop" title="This page is still to be built">
      <p>Addresses of transformed pictures will be made here.</p>
    </EmptyState>
  </>
)
