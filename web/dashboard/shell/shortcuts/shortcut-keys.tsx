import { Fragment } from 'react'

/** Keys as they are written on a keyboard, one after another. */
export const ShortcutKeys = ({ keys }: { readonly keys: string }) => (
  <span className="shortcut-keys">
    {keys.split(' ').map((key, place) => (
      <Fragment key={`${place} ${key}`}>
        {place > 0 && ' '}
        <kbd>{key.length === 1 ? key.toUpperCase() : key}</kbd>
      </Fragment>
    ))}
  </span>
)

const isApple = (): boolean => /Mac|iPhone|iPad/u.test(navigator.userAgent.slice(0, 200))

/** The keys that open the palette, as this machine writes them. */
export const paletteKeys = (): string => (isApple() ? '⌘ K' : 'Ctrl K')
