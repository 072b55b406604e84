import { useEffect, useRef } from 'react'

import type { Selecting } from './use-selecting.ts'

/** Where keys are those of a text, or of something above the page. */
const others =
  'input:not([type=checkbox], [type=radio]), textarea, select, dialog, [popover], [role=tree]'

/** Ctrl+A and Escape, wherever on the page one is. */
export function useSelectionKeys(selecting: Selecting): void {
  const latest = useRef(selecting)
  useEffect(() => {
    latest.current = selecting
  })
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, target, defaultPrevented } = event
      const isElsewhere = target instanceof Element && target.closest(others) !== null
      if (defaultPrevented || isElsewhere || document.querySelector('dialog[open]')) return
      if (key.toLowerCase() === 'a' && (ctrlKey || metaKey)) {
        event.preventDefault()
        latest.current.selectAll()
      }
      if (key === 'Escape') latest.current.clear()
    }
    document.addEventListener('keydown', press)
    return () => document.removeEventListener('keydown', press)
  }, [])
}
