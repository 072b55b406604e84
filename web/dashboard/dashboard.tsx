import { onlineManager, QueryClientProvider } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { connection } from './api/connection.ts'
import { createQueryClient } from './api/queries.ts'
import { rich } from './language/rich-text.tsx'
import { t } from './language/text.ts'
import type { PageName } from './page-names.ts'
import { entryOf, type PageEntry } from './pages.ts'
import { EmptyState } from './parts/feedback/empty-state.tsx'
import { ErrorBoundary } from './parts/feedback/error-boundary.tsx'
import { Failure } from './parts/feedback/failure.tsx'
import { PageSkeleton } from './parts/feedback/page-skeleton.tsx'
import { Toasts } from './parts/feedback/toasts.tsx'
import { useLate } from './parts/late-module.ts'
import { Link, usePage, useSearch } from './router.tsx'
import { SignInDialog } from './session/sign-in-dialog.tsx'
import { Shell } from './shell/shell.tsx'

const client = createQueryClient()
// What was asked for meanwhile waits, and what failed is asked for again.
onlineManager.setEventListener((setOnline) =>
  connection.subscribe(() => setOnline(!connection.isLost())),
)

export function Dashboard() {
  const page = usePage()
  return (
    <QueryClientProvider client={client}>
      <Shell current={page}>
        {page === undefined ? <NoSuchPage /> : <CurrentPage name={page} />}
      </Shell>
      <SignInDialog />
      <Toasts />
    </QueryClientProvider>
  )
}

function CurrentPage({ name }: { readonly name: PageName }) {
  const entry = entryOf(name)
  useFocusOnNewPage(name, entry?.title ?? 'Sedge')
  if (entry === undefined) return <NoSuchPage />
  return (
    <ErrorBoundary key={name}>
      <LoadedPage entry={entry} />
    </ErrorBoundary>
  )
}

/** What is known of a page without it is there at once. */
function LoadedPage({ entry: { name, title, module } }: { readonly entry: PageEntry }) {
  const state = useLate(module)
  const [{ zone }] = useSearch()
  if (state.kind === 'there') return <state.value.Page />
  const heading = name === 'zone' ? (zone ?? title) : title
  if (state.kind !== 'failed') return <PageSkeleton title={heading} />
  return (
    <PageSkeleton title={heading}>
      <Failure error={state.error} onRetry={() => void module.load()} />
    </PageSkeleton>
  )
}

/** A screen reader hears where it is, and Tab goes on from the top of the new page. */
function useFocusOnNewPage(name: PageName, title: string): void {
  const isFirst = useRef(true)
  useEffect(() => {
    document.title = `${title} · Sedge`
    if (!isFirst.current) {
      document.getElementById('main')?.focus()
      window.scrollTo(0, 0)
    }
    isFirst.current = false
  }, [name, title])
}

const NoSuchPage = () => (
  <EmptyState icon="compass" title={t('There is no such page')}>
    <p>
      {rich('The URL leads nowhere. <link>Go to the overview</link>.', {
        link: (text) => <Link page="overview">{text}</Link>,
      })}
    </p>
  </EmptyState>
)
