import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { useServerEvents } from '../api/events.ts'
import { assetEvents } from '../assets/use-live-assets.ts'

/** What a commit changes of what is shown of moments; what two old ones differ in never changes. */
export const historyReads = ['getZoneHistory', 'getZoneDifferences', 'restoreZone'] as const

const pauseMs = 500

/** Reads the history again when somebody commits, here or elsewhere. */
export function useLiveHistory(): void {
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  useServerEvents(assetEvents, 'published', () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(
      () => void queries.invalidateQueries({ queryKey: ['getZoneHistory'] }),
      pauseMs,
    )
  })
}
