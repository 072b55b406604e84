import { useEffect } from 'react'

import { openPalette } from '../overlays.ts'
import { createKeySequence } from './key-sequence.ts'
import { areShortcutsOn } from './shortcut-setting.ts'
import { shortcutGroups } from './shortcuts.ts'

/** Hears the keyboard on every page; not in fields, and not behind a dialog. */
export function useShortcuts(): void {
  useEffect(() => {
    const sequence = createKeySequence(shortcutGroups.flatMap(({ shortcuts }) => shortcuts))
    const press = (event: KeyboardEvent) => {
      if (event.defaultPrevented || event.isComposing || event.repeat) return
      const run = isPaletteKey(event)
        ? openPalette
        : mayMeanShortcut(event) && sequence.press(event.key, event.timeStamp)?.run
      if (run === false || run === undefined) return
      event.preventDefault()
      run()
    }
    window.addEventListener('keydown', press)
    return () => window.removeEventListener('keydown', press)
  }, [])
}

const mayMeanShortcut = ({ ctrlKey, metaKey, altKey, target }: KeyboardEvent): boolean =>
  !(ctrlKey || metaKey || altKey) &&
  areShortcutsOn() &&
  !isTyping(target) &&
  document.querySelector('dialog[open]') === null

/** With a modifier, so it cannot be pressed by mistake and is heard in fields, too. */
const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey

/** Whether keys mean letters there: fields, and lists that are searched by their first letters. */
const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement &&
  (target.isContentEditable ||
    target.matches('textarea, select, [role="textbox"], [role="combobox"]') ||
    target.matches('input:not([type="checkbox"], [type="radio"], [type="button"], [type="file"])'))
