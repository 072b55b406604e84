import { useQueryClient } from '@tanstack/react-query'
import { useEffect, useRef } from 'react'

import { useServerEvents } from '../api/events.ts'

export interface PublishedEvent {
  readonly changes: readonly {
    readonly event: 'asset.created' | 'asset.updated' | 'asset.deleted'
    readonly path: string
    readonly commit: string | null
  }[]
}

export const assetEvents = '/api/assets/events'

/** A burst of uploads is read as one. */
const pauseMs = 500

/** Reads again what is shown when somebody changes an asset, here or elsewhere. */
export function useLiveAssets(): void {
  const queries = useQueryClient()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  useEffect(() => () => clearTimeout(timer.current), [])
  const readAgain = () => {
    clearTimeout(timer.current)
    timer.current = setTimeout(() => {
      for (const key of [
        'listAssets',
        'listFolders',
        'listZones',
        'getAssetMetadata',
        'getAssetHistory',
        'listPreviewedAssets',
      ])
        void queries.invalidateQueries({ queryKey: [key] })
    }, pauseMs)
  }
  useServerEvents(assetEvents, 'published', { onEvent: readAgain })
}
