import { type FocusEvent, useEffect, useRef } from 'react'

/** Gives the keyboard the next thing around it when what it was on is gone. */
export function useKeptFocus() {
  const around = useRef<readonly Element[]>([])
  useEffect(() => {
    const [last] = around.current
    if (last === undefined || last.isConnected || document.activeElement !== document.body) return
    const next = around.current.find(
      (element) => element.isConnected && element.hasAttribute('tabindex'),
    )
    if (next instanceof HTMLElement) next.focus({ preventScroll: true })
  })
  return {
    onFocusCapture: ({ target }: FocusEvent) => {
      around.current = [target, ...ancestorsOf(target)]
    },
  }
}

function ancestorsOf(element: Element): readonly Element[] {
  const { parentElement } = element
  return parentElement === null ? [] : [parentElement, ...ancestorsOf(parentElement)]
}
