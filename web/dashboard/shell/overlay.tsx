import { useSyncExternalStore } from 'react'

import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Icon } from '../parts/icon.tsx'
import { createLateModule, useLate } from '../parts/late-module.ts'
import { closeOverlay, openPalette, shownOverlay, subscribeToOverlay } from './overlays.ts'
import { paletteKeys, ShortcutKeys } from './shortcuts/shortcut-keys.tsx'

const palette = createLateModule(() => import('./palette/palette.tsx'))
const sheet = createLateModule(() => import('./shortcuts/shortcut-sheet.tsx'))

/** The palette and the sheet of shortcuts, fetched when they are first wanted. */
export function ShownOverlay() {
  const shown = useSyncExternalStore(subscribeToOverlay, shownOverlay)
  if (shown === 'palette') return <LatePalette />
  return shown === 'sheet' ? <LateSheet /> : null
}

function LatePalette() {
  const state = useLate(palette)
  if (state.kind === 'there') return <state.value.Palette onClose={closeOverlay} />
  if (state.kind !== 'failed') return null
  return <Missing title={t('Search')} error={state.error} onRetry={() => void palette.load()} />
}

function LateSheet() {
  const state = useLate(sheet)
  if (state.kind === 'there') return <state.value.ShortcutSheet onClose={closeOverlay} />
  if (state.kind !== 'failed') return null
  const retry = () => void sheet.load()
  return <Missing title={t('Keyboard shortcuts')} error={state.error} onRetry={retry} />
}

interface MissingProps {
  readonly title: string
  readonly error: unknown
  readonly onRetry: () => void
}

const Missing = ({ title, ...failure }: MissingProps) => (
  <Dialog title={title} isOpen onClose={closeOverlay}>
    <Failure {...failure} />
  </Dialog>
)

/** Opens the palette; it is fetched when somebody points at it. */
export const PaletteButton = () => (
  <button
    type="button"
    className="palette-button"
    aria-keyshortcuts="Control+K Meta+K"
    onPointerEnter={() => void palette.prefetch()}
    onFocus={() => void palette.prefetch()}
    onClick={openPalette}
  >
    <Icon name="search" />
    <span>{t('Search')}</span>
    <ShortcutKeys keys={paletteKeys()} />
  </button>
)
