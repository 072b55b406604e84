import { type ReactNode, useState } from 'react'

import { t } from '../../language/text.ts'
import { Button } from '../forms/button.tsx'
import { Dialog } from './dialog.tsx'
import { Failure } from './failure.tsx'
import { TextField } from '../forms/field.tsx'

interface TypedConfirmationProps {
  readonly title: string
  /** What has to be typed. */
  readonly word: string
  /** What the button says, e.g. `Delete the zone`. */
  readonly action: string
  readonly isOpen: boolean
  readonly isBusy: boolean
  readonly error: unknown
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** What will be gone. */
  readonly children: ReactNode
}

/** For what cannot be taken back: whoever does it types its name. */
export function TypedConfirmation(props: TypedConfirmationProps) {
  const { title, word, action, isOpen, isBusy, error, onConfirm, onClose, children } = props
  const [typed, setTyped] = useState('')
  const close = () => {
    setTyped('')
    onClose()
  }
  return (
    <Dialog title={title} isOpen={isOpen} onClose={close}>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          if (typed === word && !isBusy) onConfirm()
        }}
      >
        {children}
        {error !== null && error !== undefined && <Failure error={error} />}
        <TextField
          label={t('Type {word} to confirm', { word })}
          value={typed}
          autoComplete="off"
          spellCheck={false}
          onChange={(event) => setTyped(event.target.value)}
        />
        <div className="dialog-actions">
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" kind="danger" disabled={typed !== word} isBusy={isBusy}>
            {action}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
