import { useEffect, useId, useRef, useSyncExternalStore } from 'react'

import { t } from '../language/text.ts'
import { IconButton } from '../parts/forms/button.tsx'
import { useIsNarrow } from '../parts/use-is-narrow.ts'
import { AskForm } from './ask-form.tsx'
import { beginAnew, useConversation } from './conversation.ts'
import { Exchanges } from './exchanges.tsx'
import { assistantState, subscribeToAssistant } from './open-state.ts'

interface PanelProps {
  readonly onClose: () => void
  /** The zone that the page is about, if it is about one. */
  readonly zoneInView: () => string | undefined
}

/** The assistant beside the page, which stays while pages change; over it where there is no room. */
export const Panel = (props: PanelProps) =>
  useIsNarrow() ? <OverThePage {...props} /> : <BesideThePage {...props} />

function OverThePage({ onClose, zoneInView }: PanelProps) {
  const dialog = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const element = dialog.current
    if (element?.open === false) element.showModal()
    return () => element?.close()
  }, [])
  return (
    <dialog
      ref={dialog}
      className="assistant assistant-whole"
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <Contents titleId={id} onClose={onClose} onLeave={onClose} zoneInView={zoneInView} />
    </dialog>
  )
}

function BesideThePage({ onClose, zoneInView }: PanelProps) {
  const panel = useRef<HTMLElement>(null)
  const id = useId()
  useFocusBack(panel)
  return (
    <aside
      ref={panel}
      className="assistant"
      aria-labelledby={id}
      onKeyDown={(event) => {
        if (event.key !== 'Escape' || event.defaultPrevented) return
        event.preventDefault()
        onClose()
      }}
    >
      <Contents titleId={id} onClose={onClose} zoneInView={zoneInView} />
    </aside>
  )
}

/** Focus is not lost with the panel: what opened it has it again, else the page. */
function useFocusBack(panel: { readonly current: HTMLElement | null }): void {
  useEffect(() => {
    const before = document.activeElement
    const element = panel.current
    return () => {
      if (element?.contains(document.activeElement) === false) return
      const isThere =
        before instanceof HTMLElement && before.isConnected && before !== document.body
      const place = isThere ? before : document.getElementById('main')
      queueMicrotask(() => place?.focus())
    }
  }, [panel])
}

interface ContentsProps extends PanelProps {
  readonly titleId: string
  /** When something in it leads to a page. */
  readonly onLeave?: () => void
}

function Contents({ titleId, onClose, onLeave, zoneInView }: ContentsProps) {
  const exchanges = useConversation()
  const { wanted } = useSyncExternalStore(subscribeToAssistant, assistantState)
  return (
    <>
      <header className="assistant-head">
        <h2 id={titleId}>{t('Ask')}</h2>
        {exchanges.length > 0 && (
          <IconButton icon="plus" label={t('New conversation')} onClick={beginAnew} />
        )}
        <IconButton icon="close" label={t('Close')} onClick={onClose} />
      </header>
      <Exchanges exchanges={exchanges} zoneInView={zoneInView} onLeave={onLeave} />
      <AskForm wanted={wanted} exchanges={exchanges} />
    </>
  )
}
