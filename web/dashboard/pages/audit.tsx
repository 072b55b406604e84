import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Audit. */
export const Page = () => (
  <>
    <PageHeader title="Audit" />
    <EmptyState icon="history" title="This page is still to be built">
      <p>
        Until then the audit log is read from <code>/api/core/audit-logs</code>.
      </p>
    </EmptyState>
  </>
)
