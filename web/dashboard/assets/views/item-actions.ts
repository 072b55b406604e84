import { type KeyboardEvent, type MouseEvent, useMemo, useRef, useLayoutEffect } from 'react'

/** What can be done with an item of a list. The object stays the same while the list is there. */
export interface ItemActions {
  /** Opens it, or chooses it where a key says so. */
  press(event: MouseEvent<HTMLElement>, path: string, index: number): void
  toggle(path: string, index: number): void
  /** Everything from the last that was chosen to this. */
  extend(index: number): void
  key(event: KeyboardEvent<HTMLElement>, path: string, index: number): void
  beginRename(path: string): void
  endRename(): void
  /** The paths that go where this is dragged to. */
  drag(path: string): void
}

/** One object for all renderings, so that items need not be drawn again because a function is new. */
export function useStableActions(actions: ItemActions): ItemActions {
  const latest = useRef(actions)
  useLayoutEffect(() => {
    latest.current = actions
  })
  return useMemo(
    () => ({
      press: (...given) => latest.current.press(...given),
      toggle: (...given) => latest.current.toggle(...given),
      extend: (index) => latest.current.extend(index),
      key: (...given) => latest.current.key(...given),
      beginRename: (path) => latest.current.beginRename(path),
      endRename: () => latest.current.endRename(),
      drag: (path) => latest.current.drag(path),
    }),
    [],
  )
}
