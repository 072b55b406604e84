import { useEffect } from 'react'

import { useServerEvents } from '../../api/events.ts'
import { assetEvents, type PublishedEvent } from '../../assets/use-live-assets.ts'
import { usePage } from '../../router.tsx'
import { isFinished, type UploadItem } from '../queue/upload-item.ts'
import { uploads, useUnfinished, useUploads } from '../queue/uploads.ts'
import { Tray } from './tray.tsx'

/**
 * The uploads of this browser on every page, after a reload too: those under way, and those that need their file
 * again. The page of uploads shows them itself.
 */
export function UploadTray() {
  const snapshot = useUploads()
  const unfinished = useUnfinished()
  const page = usePage()
  useWarningOnLeaving(snapshot.items.some((item) => !isFinished(item)))
  useServerEvents(snapshot.items.some(isAwaited) ? assetEvents : undefined, 'published', {
    onOpen: () => uploads.confirm(),
    onEvent: (data) => uploads.published((data as PublishedEvent).changes.map(({ path }) => path)),
  })
  if (page === 'upload' || snapshot.items.length + unfinished.length === 0) return null
  return <Tray snapshot={snapshot} unfinished={unfinished} />
}

/** What it becomes is still to be heard of. */
const isAwaited = (item: UploadItem): boolean => !isFinished(item) || item.state === 'stored'

function useWarningOnLeaving(isNeeded: boolean): void {
  useEffect(() => {
    if (!isNeeded) return undefined
    const warn = (event: BeforeUnloadEvent) => event.preventDefault()
    window.addEventListener('beforeunload', warn)
    return () => window.removeEventListener('beforeunload', warn)
  }, [isNeeded])
}
