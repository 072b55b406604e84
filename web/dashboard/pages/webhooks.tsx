import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Webhooks. */
export const Page = () => (
  <>
    <PageHeader title="Webhooks" />
    <EmptyState icon="webhook" title="This page is still to be built">
      <p>
        Until then webhooks are kept with <code>/api/webhooks</code>.
      </p>
    </EmptyState>
  </>
)
