import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Domains. */
export const Page = () => (
  <>
    <PageHeader title="Domains" />
    <EmptyState icon="globe" title="This page is still to be built">
      <p>
        Until then host names are kept with <code>/api/core/zones/…/domains</code>.
      </p>
    </EmptyState>
  </>
)
