import type { UseQueryResult } from '@tanstack/react-query'
import type { ReactNode } from 'react'

import { Failure } from './failure.tsx'

interface QueryResultProps<Data> {
  readonly query: UseQueryResult<Data>
  /** What is loading, for those who do not see it. */
  readonly label: string
  readonly children: (data: Data) => ReactNode
}

/** What a query answered; until then that it is on its way, or why it did not come. */
export function QueryResult<Data>({ query, label, children }: QueryResultProps<Data>) {
  if (query.isPending) return <Loading label={label} />
  if (query.isError) return <Failure error={query.error} onRetry={() => void query.refetch()} />
  return children(query.data)
}

/** Where something will be, in its rough shape. */
export const Loading = ({ label }: { readonly label: string }) => (
  <div className="loading" role="status">
    <span className="hidden-text">{label}</span>
    <div className="skeleton" aria-hidden="true">
      <span />
      <span />
      <span />
    </div>
  </div>
)
