import { type ReactNode, useEffect, useId, useRef } from 'react'

import { IconButton } from './button.tsx'

interface DialogProps {
  readonly title: string
  readonly isOpen: boolean
  readonly onClose: () => void
  readonly children: ReactNode
  /** Buttons, the one that goes on last. */
  readonly actions?: ReactNode
  /** `side` leaves what is behind in view: for details of one thing among many. */
  readonly shape?: 'centre' | 'side'
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
}: Omit<DialogProps, 'isOpen'>) {
  const element = useRef<HTMLDialogElement>(null)
  const id = useId()
  useEffect(() => {
    const dialog = element.current
    const before = document.activeElement
    if (dialog?.open === false) dialog.showModal()
    return () => {
      dialog?.close()
      if (before instanceof HTMLElement) before.focus()
    }
  }, [])
  return (
    <dialog
      ref={element}
      className={`dialog dialog-${shape}`}
      aria-labelledby={id}
      onCancel={(event) => {
        event.preventDefault()
        onClose()
      }}
    >
      <header className="dialog-head">
        <h2 id={id}>{title}</h2>
        <IconButton icon="close" label="Close" onClick={onClose} />
      </header>
      <div className="dialog-body">{children}</div>
      {actions !== undefined && <footer className="dialog-actions">{actions}</footer>}
    </dialog>
  )
}
