import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Tokens. */
export const Page = () => (
  <>
    <PageHeader title="Tokens" />
    <EmptyState icon="key" title="This page is still to be built">
      <p>
        Until then tokens are kept with <code>/api/tokens</code>.
      </p>
    </EmptyState>
  </>
)
