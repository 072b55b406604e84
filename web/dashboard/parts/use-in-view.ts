import { useEffect, useRef, useState } from 'react'

/** So far from the screen something is made ready. */
const margin = '600px'

/** Whether an element has come near the screen; from then on it stays so. */
export function useWasInView<Target extends Element>() {
  const target = useRef<Target>(null)
  const [wasInView, setWasInView] = useState(false)
  useNearScreen(target, () => setWasInView(true), !wasInView)
  return [target, wasInView] as const
}

/** Calls each time the element comes near the screen, and while it stays there after `isActive` changed. */
export function useNearScreen(
  target: React.RefObject<Element | null>,
  onNear: () => void,
  isActive: boolean,
): void {
  const heard = useRef(onNear)
  useEffect(() => {
    heard.current = onNear
  })
  useEffect(() => {
    const element = target.current
    if (element === null || !isActive) return undefined
    const observer = new IntersectionObserver(
      ([entry]) => {
        if (entry?.isIntersecting === true) heard.current()
      },
      { rootMargin: margin },
    )
    observer.observe(element)
    return () => observer.disconnect()
  }, [target, isActive])
}
