import { useEffect, useSyncExternalStore } from 'react'

import type { PageName } from '../page-names.ts'
import { type GroupName, groupOf } from '../pages.ts'

const key = 'sedge-navigation'
const listeners = new Set<() => void>()

/** What somebody opened or folded on this machine. */
type KeptGroups = Readonly<Partial<Record<GroupName, boolean>>>

const keptText = (): string => localStorage.getItem(key) ?? '{}'

function keptGroups(): KeptGroups {
  try {
    const kept: unknown = JSON.parse(keptText())
    return typeof kept === 'object' && kept !== null ? kept : {}
  } catch {
    return {}
  }
}

function keepGroup(name: GroupName, isOpen: boolean): void {
  localStorage.setItem(key, JSON.stringify({ ...keptGroups(), [name]: isOpen }))
  for (const listener of listeners) listener()
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Where all groups fit beside the page without scrolling. */
const roomForAll = '(width >= 56rem) and (height >= 50rem)'

const hasRoom = (): boolean => matchMedia(roomForAll).matches

function subscribeToRoom(listener: () => void): () => void {
  const media = matchMedia(roomForAll)
  media.addEventListener('change', listener)
  return () => media.removeEventListener('change', listener)
}

/** Which groups of the navigation are open: as they were left, else all where there is room, else the page's own. */
export function useOpenGroups(current: PageName | undefined): {
  readonly isOpen: (name: GroupName) => boolean
  readonly toggle: (name: GroupName) => void
} {
  useSyncExternalStore(subscribe, keptText)
  const isRoomy = useSyncExternalStore(subscribeToRoom, hasRoom)
  const own = current === undefined ? undefined : groupOf(current)
  useEffect(() => {
    // Whoever goes to a page sees where it is.
    if (own !== undefined && keptGroups()[own] === false) keepGroup(own, true)
  }, [own, current])
  const kept = keptGroups()
  const isOpen = (name: GroupName) => kept[name] ?? (isRoomy || name === own || name === 'content')
  return { isOpen, toggle: (name) => keepGroup(name, !isOpen(name)) }
}
