import type { ReactNode } from 'react'

import { t } from '../../language/text.ts'
import { Button } from '../../parts/forms/button.tsx'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Failure } from '../../parts/feedback/failure.tsx'
import type { Named } from './use-bulk.ts'

/** What every dialog about a selection is given. */
export interface BulkDialogProps {
  readonly named: Named
  /** How many there are, in words. */
  readonly what: string
  readonly onClose: (isDone: boolean) => void
}

interface FrameProps {
  readonly title: string
  /** What the button that does it says. */
  readonly verb: string
  readonly isBusy: boolean
  readonly canBegin: boolean
  readonly error: unknown
  readonly onClose: () => void
  readonly onBegin: () => void
  readonly children: ReactNode
}

/** A dialog that does one thing to many assets, by its button or by Enter. */
export const BulkDialog = (props: FrameProps) => (
  <Dialog
    title={props.title}
    isOpen
    onClose={props.onClose}
    actions={
      <>
        <Button onClick={props.onClose}>{t('Cancel')}</Button>
        <Button
          kind="primary"
          type="submit"
          form="bulk-form"
          disabled={!props.canBegin}
          isBusy={props.isBusy}
        >
          {props.verb}
        </Button>
      </>
    }
  >
    <form
      id="bulk-form"
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (props.canBegin && !props.isBusy) props.onBegin()
      }}
    >
      {props.children}
      {props.error !== undefined && <Failure error={props.error} />}
    </form>
  </Dialog>
)
