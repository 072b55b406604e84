import { useRef } from 'react'

import { Failure } from './feedback/failure.tsx'
import { Button } from './forms/button.tsx'
import { useNearScreen } from './use-in-view.ts'

interface LoadMoreProps {
  readonly query: {
    readonly hasNextPage: boolean
    readonly isFetchingNextPage: boolean
    readonly isFetchNextPageError: boolean
    readonly error: Error | null
    fetchNextPage(): unknown
  }
  /** What the button says. */
  readonly children: string
}

/** The end of what is shown of a list: more comes as one scrolls there, or by the button. */
export function LoadMore({ query, children }: LoadMoreProps) {
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError: isError } = query
  const place = useRef<HTMLDivElement>(null)
  useNearScreen(
    place,
    () => void query.fetchNextPage(),
    hasNextPage && !isFetchingNextPage && !isError,
  )
  if (!hasNextPage) return null
  return (
    <div ref={place} className="load-more">
      {isError ? (
        <Failure error={query.error} onRetry={() => void query.fetchNextPage()} />
      ) : (
        <Button isBusy={isFetchingNextPage} onClick={() => void query.fetchNextPage()}>
          {children}
        </Button>
      )}
    </div>
  )
}
