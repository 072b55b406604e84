import { EmptyState } from '../parts/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'

/** Passkeys and sessions. */
export const Page = () => (
  <>
    <PageHeader title="Passkeys and sessions" />
    <EmptyState icon="shield" title="These have a page of their own for now">
      <p>
        <a href="/dashboard/passkeys">Keep passkeys and sessions</a>
      </p>
    </EmptyState>
  </>
)
