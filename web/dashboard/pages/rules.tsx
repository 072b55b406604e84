import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Edge rules. */
export const Page = () => (
  <>
    <PageHeader title="Edge rules" />
    <EmptyState icon="rules" title="This page is still to be built">
      <p>
        Until then rules are kept with <code>/api/core/rules</code>.
      </p>
    </EmptyState>
  </>
)
