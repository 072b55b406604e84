import type { DragEvent } from 'react'

import { nothing, type Selection } from '../selection/selection.ts'

interface Chosen {
  readonly selection: Selection
  has(path: string): boolean
}

const draggedType = 'application/x-sedge-assets'

let current: Selection = nothing

/** What is being dragged: browsers tell others than its own page no more than that there is something. */
export const dragged = {
  /** What is chosen, where one drags a part of it; else this alone. */
  set(chosen: Chosen, path: string): void {
    current = chosen.has(path) ? chosen.selection : { isAll: false, paths: new Set([path]) }
  },
  read: (): Selection => current,
}

export const isOfAssets = ({ dataTransfer }: DragEvent): boolean =>
  dataTransfer.types.includes(draggedType)

export function beginDrag(event: DragEvent): void {
  event.dataTransfer.setData(draggedType, '')
  event.dataTransfer.effectAllowed = 'move'
}
