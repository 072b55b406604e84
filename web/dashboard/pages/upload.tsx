import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Upload. */
export const Page = () => (
  <>
    <PageHeader title="Upload" />
    <EmptyState icon="upload" title="This page is still to be built">
      <p>Files will be taken in here.</p>
    </EmptyState>
  </>
)
