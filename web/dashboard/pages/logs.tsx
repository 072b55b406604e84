import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Logs. */
export const Page = () => (
  <>
    <PageHeader title="Logs" />
    <EmptyState icon="terminal" title="This page is still to be built">
      <p>
        Until then the log is read from <code>/api/logs</code>.
      </p>
    </EmptyState>
  </>
)
