import { useSyncExternalStore } from 'react'

const narrow = matchMedia('(width < 56rem)')

function subscribe(listener: () => void): () => void {
  narrow.addEventListener('change', listener)
  return () => narrow.removeEventListener('change', listener)
}

/** Whether there is little room beside one another. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow.matches)
