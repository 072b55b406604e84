import { QueryClientProvider } from '@tanstack/react-query'
import { Suspense, useEffect, useRef } from 'react'

import { createQueryClient } from './api/queries.ts'
import { rich } from './language/rich-text.tsx'
import { t } from './language/text.ts'
import type { PageName } from './page-names.ts'
import { entryOf } from './pages.ts'
import { EmptyState } from './parts/feedback/empty-state.tsx'
import { ErrorBoundary } from './parts/feedback/error-boundary.tsx'
import { Loading } from './parts/feedback/query-result.tsx'
import { Toasts } from './parts/feedback/toasts.tsx'
import { Link, usePage } from './router.tsx'
import { SignInDialog } from './session/sign-in-dialog.tsx'
import { Shell } from './shell/shell.tsx'

const client = createQueryClient()

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
      <Suspense fallback={<Loading label={t('{page} is loading', { page: entry.title })} />}>
        <entry.Page />
      </Suspense>
    </ErrorBoundary>
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
      {rich('The address leads nowhere. <link>Go to the overview</link>.', {
        link: (text) => <Link page="overview">{text}</Link>,
      })}
    </p>
  </EmptyState>
)
