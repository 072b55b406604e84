import { useSyncExternalStore } from 'react'

function mediaStore(query: MediaQueryList) {
  return {
    matches: () => query.matches,
    subscribe: (listener: () => void) => {
      query.addEventListener('change', listener)
      return () => query.removeEventListener('change', listener)
    },
  }
}

const narrow = mediaStore(matchMedia('(width < 56rem)'))
const roomy = mediaStore(matchMedia('(width >= 90rem)'))

/** Whether there is little room beside one another. */
export const useIsNarrow = (): boolean => useSyncExternalStore(narrow.subscribe, narrow.matches)

/** Whether there is room for what is only pleasant. */
export const useIsRoomy = (): boolean => useSyncExternalStore(roomy.subscribe, roomy.matches)
