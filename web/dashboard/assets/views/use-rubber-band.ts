import { type CSSProperties, type PointerEvent, useRef, useState } from 'react'

import type { Selecting } from '../selection/use-selecting.ts'

export interface Grid {
  readonly width: number
  readonly columns: number
  readonly cardPx: number
  readonly gapPx: number
  readonly rowPx: number
}

interface Point {
  readonly x: number
  readonly y: number
}

/** A band between cards that is this small is a click beside them. */
const minBandPx = 5

/** Selects what a band touches that is drawn from between the cards. */
export function useRubberBand(grid: Grid, count: number, selecting: Selecting | undefined) {
  const start = useRef<Point>(undefined)
  const swept = useRef('')
  const [box, setBox] = useState<CSSProperties>()
  if (selecting === undefined) return { handlers: {}, box: undefined }

  const end = (event: PointerEvent<HTMLElement>) => {
    const from = start.current
    start.current = undefined
    setBox(undefined)
    if (from === undefined) return
    const to = pointOf(event)
    // Beside the cards is nothing: whoever presses there means nothing.
    if (isClick(from, to)) return selecting.clear()
    selecting.sweep(touched({ from, to }, grid, count), true)
  }

  const handlers = {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0 || event.pointerType === 'touch' || isOnItem(event)) return
      // The scroll bar is of the element, and beside all that is in it.
      if (event.nativeEvent.offsetX > event.currentTarget.clientWidth) return
      start.current = pointOf(event)
      swept.current = ''
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const from = start.current
      if (from === undefined) return
      const to = pointOf(event)
      if (isClick(from, to)) return
      setBox(boxOf(from, to))
      const stretches = touched({ from, to }, grid, count)
      if (swept.current === stretches.join()) return
      swept.current = stretches.join()
      selecting.sweep(stretches, false)
    },
    onPointerUp: end,
    onPointerCancel: end,
  }
  return { handlers, box }
}

const isOnItem = ({ target }: PointerEvent): boolean =>
  target instanceof Element && target.closest('li') !== null

/** From the top left corner of all that the element scrolls over. */
function pointOf({ currentTarget, clientX, clientY }: PointerEvent<HTMLElement>): Point {
  const { left, top } = currentTarget.getBoundingClientRect()
  return {
    x: clientX - left + currentTarget.scrollLeft,
    y: clientY - top + currentTarget.scrollTop,
  }
}

const isClick = (from: Point, to: Point): boolean =>
  Math.hypot(to.x - from.x, to.y - from.y) < minBandPx

const boxOf = (from: Point, to: Point): CSSProperties => ({
  left: Math.min(from.x, to.x),
  top: Math.min(from.y, to.y),
  width: Math.abs(to.x - from.x),
  height: Math.abs(to.y - from.y),
})

interface Band {
  readonly from: Point
  readonly to: Point
}

/** A stretch of places for each row that is touched. */
function touched(
  { from, to }: Band,
  { columns, cardPx, gapPx, rowPx }: Grid,
  count: number,
): readonly (readonly [number, number])[] {
  const stepPx = cardPx + gapPx
  const first = Math.max(0, Math.ceil((Math.min(from.x, to.x) - cardPx) / stepPx))
  const last = Math.min(columns - 1, Math.floor(Math.max(from.x, to.x) / stepPx))
  const top = Math.max(0, Math.ceil((Math.min(from.y, to.y) - rowPx + gapPx) / rowPx))
  const bottom = Math.min(Math.floor(Math.max(from.y, to.y) / rowPx), Math.ceil(count / columns))
  if (first > last || bottom < top) return []
  return Array.from({ length: bottom - top + 1 }, (_, index) => (top + index) * columns).flatMap(
    (start) =>
      start + first < count ? [[start + first, Math.min(start + last, count - 1)] as const] : [],
  )
}
