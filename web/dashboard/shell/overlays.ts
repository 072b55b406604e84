/** What is shown over whatever page there is. */
export type Overlay = 'palette' | 'sheet' | undefined

let shown: Overlay
const listeners = new Set<() => void>()

function show(next: Overlay): void {
  shown = next
  for (const listener of listeners) listener()
}

export const openPalette = (): void => show('palette')
export const openSheet = (): void => show('sheet')
export const closeOverlay = (): void => show(undefined)
export const shownOverlay = (): Overlay => shown

export function subscribeToOverlay(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
