import { useSyncExternalStore } from 'react'

export const themes = ['system', 'light', 'dark'] as const
export type Theme = (typeof themes)[number]

const key = 'sedge-theme'
const listeners = new Set<() => void>()

/** What was chosen on this machine; the machine's own wish where nothing was. */
function currentTheme(): Theme {
  const kept = localStorage.getItem(key)
  return themes.find((each) => each === kept) ?? 'system'
}

export function applyTheme(): void {
  const theme = currentTheme()
  if (theme === 'system') delete document.documentElement.dataset['theme']
  else document.documentElement.dataset['theme'] = theme
}

export function chooseTheme(theme: Theme): void {
  localStorage.setItem(key, theme)
  applyTheme()
  for (const listener of listeners) listener()
}

export const useTheme = (): Theme => useSyncExternalStore(subscribe, currentTheme)

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}
