import { type ReactNode, useState } from 'react'

import { useChange } from '../api/queries.ts'
import { ChooseMoment } from '../history/choose-moment.tsx'
import { dayOf } from '../history/timeline-filters.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { CheckField, TextField } from '../parts/forms/field.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { expiryOf, faultOfPreviewName, previewReads } from './preview.ts'

interface CreatePreviewProps {
  readonly zone: string
  /** The commit it begins with; what is live where left out. */
  readonly from: string | undefined
  readonly onCreated: (name: string) => void
  readonly onClose: () => void
}

export function CreatePreview({ zone, from: given, onCreated, onClose }: CreatePreviewProps) {
  const [from, setFrom] = useState(given)
  const [isChoosing, setChoosing] = useState(false)
  return (
    <>
      <Dialog title={`Create a preview of ${zone}`} isOpen onClose={onClose}>
        <NewPreview zone={zone} from={from} onCreated={onCreated} onClose={onClose}>
          <BeginsWith from={from} onChoose={() => setChoosing(true)} />
        </NewPreview>
      </Dialog>
      {isChoosing && (
        <ChooseMoment
          zone={zone}
          title="What it begins with"
          canBeNow
          onChoose={setFrom}
          onClose={() => setChoosing(false)}
        />
      )}
    </>
  )
}

function NewPreview(props: CreatePreviewProps & { readonly children: ReactNode }) {
  const { zone, from, onCreated, onClose, children } = props
  const [name, setName] = useState('')
  const [day, setDay] = useState('')
  const [isSigned, setSigned] = useState(false)
  const fault = faultOfPreviewName(name)
  const create = useChange('createPreview', {
    changes: previewReads,
    onSuccess: ({ Name }) => {
      toast(`The preview ${Name} is there.`)
      onCreated(Name)
    },
  })
  const submit = () => {
    const body = { Name: name, Signed: isSigned, ...given({ From: from, Expires: expiryOf(day) }) }
    create.mutate({ id: zone, body })
  }
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault()
        if (fault === undefined && name !== '' && !create.isPending) submit()
      }}
    >
      {create.isError && <Failure error={create.error} />}
      <NameField zone={zone} name={name} fault={fault} onChange={setName} />
      {children}
      <ExpiryField day={day} onChange={setDay} />
      <CheckField
        label="Only with a signed URL"
        checked={isSigned}
        onChange={({ target }) => setSigned(target.checked)}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>Cancel</Button>
        <Button type="submit" kind="primary" disabled={name === ''} isBusy={create.isPending}>
          Create the preview
        </Button>
      </div>
    </form>
  )
}

/** What was said of it. */
const given = ({ From, Expires }: Readonly<Record<'From' | 'Expires', string | undefined>>) => ({
  ...(From !== undefined && { From }),
  ...(Expires !== undefined && { Expires }),
})

interface NameFieldProps {
  readonly zone: string
  readonly name: string
  readonly fault: string | undefined
  readonly onChange: (name: string) => void
}

const NameField = ({ zone, name, fault, onChange }: NameFieldProps) => (
  <>
    <TextField
      label="Name"
      value={name}
      autoComplete="off"
      spellCheck={false}
      autoCapitalize="none"
      placeholder="spring-campaign"
      fault={fault}
      onChange={({ target }) => onChange(target.value)}
    />
    {name !== '' && fault === undefined && (
      <p className="fine-print">
        Files will be at <code>{`/@~${name}/${zone}/v1/…`}</code>
      </p>
    )}
  </>
)

interface BeginsWithProps {
  readonly from: string | undefined
  readonly onChoose: () => void
}

const BeginsWith = ({ from, onChoose }: BeginsWithProps) => (
  <div className="spread">
    <p>
      Begins with{' '}
      {from === undefined ? (
        'what is live now'
      ) : (
        <>
          the commit <code>{from.slice(0, 10)}</code>
        </>
      )}
    </p>
    <Button kind="quiet" icon="history" onClick={onChoose}>
      Choose a moment
    </Button>
  </div>
)

interface ExpiryFieldProps {
  readonly day: string
  readonly onChange: (day: string) => void
}

export const ExpiryField = ({ day, onChange }: ExpiryFieldProps) => (
  <TextField
    label="Expires after"
    type="date"
    value={day}
    min={dayOf(new Date())}
    hint="Without a day it expires some weeks after its last change, as the service is set."
    onChange={({ target }) => onChange(target.value)}
  />
)
