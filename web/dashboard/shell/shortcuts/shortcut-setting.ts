const key = 'sedge-shortcuts'

/** Single letters can be in the way of whoever speaks to the machine: they can be turned off (WCAG 2.1.4). */
export const areShortcutsOn = (): boolean => localStorage.getItem(key) !== 'off'

export function turnShortcuts(areOn: boolean): void {
  if (areOn) localStorage.removeItem(key)
  else localStorage.setItem(key, 'off')
}
