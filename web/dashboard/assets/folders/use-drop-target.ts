import { type DragEvent, useState } from 'react'

import { mayOf } from '../../parts/access/may.ts'
import { useOwnReach } from '../../parts/access/use-may.ts'
import type { Selection } from '../selection/selection.ts'
import { dragged, isOfAssets } from './dragged.ts'

export type DropOn = (folder: string, selection: Selection) => void

/** Has a folder take assets that are dropped on it, of whoever may write there. */
export function useDropTarget(folder: string, onDropOn: DropOn | undefined) {
  const [isOver, setOver] = useState(false)
  const reach = useOwnReach()
  const need = { scope: 'storage:write', zone: folder.split('/', 1)[0] } as const
  // Nothing can lie among the zones.
  if (onDropOn === undefined || folder === '' || !mayOf(reach, need).isAllowed) return {}
  return {
    'data-over': isOver || undefined,
    onDragOver: (event: DragEvent) => {
      if (!isOfAssets(event)) return
      event.preventDefault()
      event.dataTransfer.dropEffect = 'move'
      setOver(true)
    },
    onDragLeave: () => setOver(false),
    onDrop: (event: DragEvent) => {
      setOver(false)
      if (!isOfAssets(event)) return
      event.preventDefault()
      onDropOn(folder, dragged.read())
    },
  }
}
