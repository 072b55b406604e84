import { type DragEvent, useState } from 'react'

import type { Selection } from '../selection/selection.ts'
import { dragged, isOfAssets } from './dragged.ts'

export type DropOn = (folder: string, selection: Selection) => void

/** Has a folder take assets that are dropped on it. */
export function useDropTarget(folder: string, onDropOn: DropOn | undefined) {
  const [isOver, setOver] = useState(false)
  // Nothing can lie among the zones.
  if (onDropOn === undefined || folder === '') return {}
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
