import { useEffect } from 'react'

import { entryOf, pageGroups } from '../pages.ts'
import { pageOf } from '../router.tsx'

/** Fetches a page when somebody is about to open it, and all of the navigation when nothing else is to be done. */
export function usePrefetch(): void {
  useEffect(() => {
    const near = ({ target }: Event) => {
      const link = target instanceof Element ? target.closest('a[href^="/dashboard/"]') : null
      if (link instanceof HTMLAnchorElement) void prefetchPage(link.pathname)
    }
    for (const name of nearEvents) document.addEventListener(name, near, { passive: true })
    const stopIdle = prefetchWhenIdle()
    return () => {
      for (const name of nearEvents) document.removeEventListener(name, near)
      stopIdle()
    }
  }, [])
}

const nearEvents = ['pointerover', 'focusin', 'touchstart'] as const

async function prefetchPage(path: string): Promise<void> {
  const name = pageOf(path)
  if (name !== undefined) await entryOf(name)?.module.prefetch()
}

/** What the first load is made of ends here. */
const idleMark = 'sedge-idle'

/** What the first page shows comes before pages that nobody asked for. */
const restMs = 1_500

interface Saver {
  readonly connection?: { readonly saveData?: boolean }
}

/** One page after another, each when the browser has time; none for whoever pays by the byte. */
function prefetchWhenIdle(): () => void {
  const { connection } = navigator as Saver
  if (connection?.saveData === true || !('requestIdleCallback' in window)) return () => {}
  const end = new AbortController()
  const prefetchAll = async () => {
    await prefetchPage(location.pathname)
    performance.mark(idleMark)
    for (const { module } of pageGroups.flatMap(({ pages }) => pages)) {
      await untilIdle()
      if (end.signal.aborted) return
      await module.prefetch()
    }
  }
  const timer = setTimeout(() => void prefetchAll(), restMs)
  return () => {
    end.abort()
    clearTimeout(timer)
  }
}

const untilIdle = (): Promise<unknown> => new Promise((resolve) => requestIdleCallback(resolve))
