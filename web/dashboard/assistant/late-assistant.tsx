import { useSyncExternalStore } from 'react'

import { t } from '../language/text.ts'
import { Icon } from '../parts/icon.tsx'
import { createLateModule, useLate } from '../parts/late-module.ts'
import {
  assistantState,
  closeAssistant,
  openAssistant,
  subscribeToAssistant,
} from './open-state.ts'

const panel = createLateModule(() => import('./panel.tsx'))

/** The assistant beside the page, fetched when it is first wanted. */
export function LateAssistant(props: InView) {
  const { isOpen } = useSyncExternalStore(subscribeToAssistant, assistantState)
  return isOpen ? <Fetched {...props} /> : null
}

interface InView {
  /** The zone that the page is about, if it is about one. */
  readonly zoneInView: () => string | undefined
}

function Fetched({ zoneInView }: InView) {
  const state = useLate(panel)
  return state.kind === 'there' ? (
    <state.value.Panel zoneInView={zoneInView} onClose={closeAssistant} />
  ) : null
}

/** Opens the assistant; it is fetched when somebody points at it. */
export const AskButton = () => (
  <button
    type="button"
    className="palette-button ask-button"
    aria-keyshortcuts="a"
    title={t('Ask')}
    onPointerEnter={() => void panel.prefetch()}
    onFocus={() => void panel.prefetch()}
    onClick={openAssistant}
  >
    <Icon name="spark" />
    <span className="hidden-text">{t('Ask')}</span>
  </button>
)
