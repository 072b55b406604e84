import { useEffect, useRef, useState } from 'react'

import { toastFailure } from '../../parts/feedback/toasts.tsx'
import type { AssetSource } from '../use-assets.ts'

interface Options {
  readonly source: AssetSource
  readonly path: string | undefined
  readonly onOpen: (path: string) => void
}

export interface Stepping {
  /** From 0; `undefined` where the list does not have it, or has not come so far. */
  readonly index: number | undefined
  readonly count: number
  readonly step: (by: number) => void
}

/** The assets before and after one in a list, in its order; what is not there yet is read. */
export function useStepping({ source, path, onOpen }: Options): Stepping {
  const [known, setKnown] = useState<{ readonly path: string; readonly index: number }>()
  const isBusy = useRef(false)
  const remembered = known?.path === path ? known?.index : undefined
  const index = path === undefined ? undefined : (source.indexOf(path) ?? remembered)
  const { count } = source

  async function go(to: number): Promise<void> {
    isBusy.current = true
    try {
      const [next] = await source.paths(to, to)
      if (next === undefined) return
      setKnown({ path: next, index: to })
      onOpen(next)
    } catch (error) {
      toastFailure(error)
    } finally {
      isBusy.current = false
    }
  }

  const step = (by: number): void => {
    if (index === undefined || isBusy.current) return
    const to = index + by
    if (to >= 0 && to < count) void go(to)
  }
  useStepKeys(path !== undefined, step)
  return { index, count, step }
}

/** Where the arrows are those of a text, a choice or something that is moved. */
const others = 'input, textarea, select, [contenteditable], [role=tree], [role=slider], [popover]'

const directions: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** ← and →, wherever in the drawer one is. */
function useStepKeys(isOpen: boolean, step: (by: number) => void): void {
  const latest = useRef(step)
  useEffect(() => {
    latest.current = step
  })
  useEffect(() => {
    if (!isOpen) return undefined
    const press = (event: KeyboardEvent) => {
      const { key, target, defaultPrevented, altKey, ctrlKey, metaKey, shiftKey } = event
      const by = directions[key]
      if (by === undefined || defaultPrevented || altKey || ctrlKey || metaKey || shiftKey) return
      if (target instanceof Element && target.closest(others) !== null) return
      // Another dialog above this one has its own keys.
      if (document.querySelectorAll('dialog[open]').length !== 1) return
      event.preventDefault()
      latest.current(by)
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [isOpen])
}
