import { type RefObject, useLayoutEffect, useState } from 'react'

/** The inner width of an element, in CSS pixels, as it changes; 0 at first. */
export function useWidth(element: RefObject<HTMLElement | null>): number {
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const observed = element.current
    if (observed === null) return undefined
    const observer = new ResizeObserver(([entry]) => setWidth(entry?.contentRect.width ?? 0))
    observer.observe(observed)
    return () => observer.disconnect()
  }, [element])
  return width
}
