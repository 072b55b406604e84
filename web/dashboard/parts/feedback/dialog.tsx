import { type ReactNode, useEffect, useId, useRef } from 'react'

import { t } from '../../language/text.ts'
import { IconButton } from '../forms/button.tsx'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons, the one that goes on last. */
  readonly actions?: ReactNode
  /**
   * `side` leaves what is behind in view: for details of one thing among many; `wide` is for images
   * beside one another.
   */
  readonly shape?: 'centre' | 'side' | 'wide'
  /** What focus goes to after, where nothing had it before: a page may open with its dialog. */
  readonly openerOf?: () => HTMLElement | null
}

/** The browser's own modal dialog: focus stays in it, Escape closes it, focus goes back after. */
export function Dialog({ isOpen, ...rest }: DialogProps) {
  return isOpen ? <OpenDialog {...rest} /> : null
}

function OpenDialog({
  title,
  onClose,
  children,
  actions,
  shape = 'centre',
  openerOf,
}: Omit<DialogProps, 'isOpen'>) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  const heard = useRef(openerOf)
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    if (dialog?.open === false) {
      dialog.showModal()
      firstPlaceIn(dialog)?.focus()
    }
    return () => {
      dialog?.close()
      placeAfter(before, heard.current)?.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      className={`dialog dialog-${shape}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        // React would tell the dialog around this one, too.
        event.stopPropagation()
        onClose()
      }}
    >
      <header className="dialog-head">
        <h2 id={id} tabIndex={-1}>
          {title}
        </h2>
        <IconButton icon="close" label={t('Close')} onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
      {actions !== undefined && <footer className="dialog-actions">{actions}</footer>}
    </dialog>
  )
}

/** Where one begins: the first field, else the first way to answer, else what it is about. */
const firstPlaceIn = (dialog: HTMLElement): HTMLElement | null =>
  [
    '.dialog-body :is(input:not([type=radio]), [type=radio]:checked, select, textarea):enabled',
    '.dialog-actions button',
    'h2',
  ]
    .map((selector) => dialog.querySelector<HTMLElement>(selector))
    .find((place) => place !== null) ?? null

/** Focus is never lost: what opened the dialog has it again, else the page. */
function placeAfter(before: Element | null, openerOf: DialogProps['openerOf']): HTMLElement | null {
  const isStillThere = before instanceof HTMLElement && before.isConnected
  if (isStillThere && before !== document.body && before.id !== 'main') return before
  return openerOf?.() ?? document.getElementById('main')
}
