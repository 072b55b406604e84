import { type MouseEvent, useRef, useState } from 'react'

import { dragged } from '../folders/dragged.ts'
import { mayOf } from '../../parts/access/may.ts'
import { useOwnReach } from '../../parts/access/use-may.ts'
import { toastFailure } from '../../parts/feedback/toasts.tsx'
import type { Selecting } from '../selection/use-selecting.ts'
import { type ItemActions, useStableActions } from './item-actions.ts'

interface Options {
  readonly selecting: Selecting
  readonly onOpen: (path: string) => void
  readonly setCurrent: (index: number) => void
}

/** Two clicks on a name rename it; the first must not have opened what is there meanwhile. */
const doubleClickMs = 280

const isOnName = ({ target }: MouseEvent): boolean =>
  target instanceof Element && target.closest('.asset-name') !== null

/** What mouse and keys do to the items of a view. */
export function useItemActions({ selecting, onOpen, setCurrent }: Options) {
  const [renamed, setRenamed] = useState<string>()
  const reach = useOwnReach()
  const rename = (path: string) => {
    const may = mayOf(reach, { scope: 'storage:write', zone: path.split('/', 1)[0] })
    if (may.isAllowed) setRenamed(path)
    else toastFailure(new Error(may.whyNot))
  }
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const open = (path: string, index: number) => {
    setCurrent(index)
    onOpen(path)
  }
  const select = (event: MouseEvent, path: string, index: number) => {
    setCurrent(index)
    if (event.shiftKey) selecting.extendTo(index)
    else selecting.toggle(path, index)
  }
  const actions: ItemActions = {
    press(event, path, index) {
      clearTimeout(timer.current)
      if (event.shiftKey || event.ctrlKey || event.metaKey) return select(event, path, index)
      if (!isOnName(event) || event.detail === 0) return open(path, index)
      if (event.detail > 1) return rename(path)
      timer.current = setTimeout(() => open(path, index), doubleClickMs)
    },
    toggle(path, index) {
      setCurrent(index)
      selecting.toggle(path, index)
    },
    extend: (index) => selecting.extendTo(index),
    key(event, path, index) {
      if (event.key === ' ') {
        // A button would be pressed when the key is let go.
        event.preventDefault()
        if (event.type === 'keydown') selecting.toggle(path, index)
      }
      if (event.key === 'F2' && event.type === 'keydown') rename(path)
    },
    beginRename: rename,
    endRename: () => setRenamed(undefined),
    drag: (path) => dragged.set(selecting, path),
  }
  return { actions: useStableActions(actions), renamed }
}
