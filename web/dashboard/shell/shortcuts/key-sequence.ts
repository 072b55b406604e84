interface Bound {
  readonly keys: string
}

/** So long the second key of two is waited for. */
const patienceMs = 1_500

/** Finds what keys that are pressed one after another mean. */
export function createKeySequence<Shortcut extends Bound>(shortcuts: readonly Shortcut[]) {
  const byKeys = new Map(shortcuts.map((shortcut) => [shortcut.keys, shortcut]))
  const firsts = new Set(
    shortcuts.filter(({ keys }) => keys.includes(' ')).map(({ keys }) => keys.split(' ', 1)[0]),
  )
  let first: { readonly key: string; readonly at: number } | undefined
  return {
    /** The shortcut that this key completes; `atMs` is when it was pressed. */
    press(key: string, atMs: number): Shortcut | undefined {
      const before = first !== undefined && atMs - first.at <= patienceMs ? first.key : undefined
      first = undefined
      const found = byKeys.get(before === undefined ? key : `${before} ${key}`)
      if (found !== undefined) return found
      if (before === undefined && firsts.has(key)) first = { key, at: atMs }
      return undefined
    },
  }
}
