import { type ReactNode, useState } from 'react'

import { useChange } from '../api/queries.ts'
import { ChooseMoment } from '../history/choose-moment.tsx'
import { dayOf } from '../history/narrowing.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
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
      <Dialog title={t('Create a preview of {zone}', { zone })} isOpen onClose={onClose}>
        <NewPreview zone={zone} from={from} onCreated={onCreated} onClose={onClose}>
          <BeginsWith from={from} onChoose={() => setChoosing(true)} />
        </NewPreview>
      </Dialog>
      {isChoosing && (
        <ChooseMoment
          zone={zone}
          title={t('What it begins with')}
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
      toast(t('The preview {name} is there.', { name: Name }))
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
        label={t('Require a signed URL')}
        checked={isSigned}
        onChange={({ target }) => setSigned(target.checked)}
      />
      <div className="dialog-actions">
        <Button onClick={onClose}>{t('Cancel')}</Button>
        <Button type="submit" kind="primary" disabled={name === ''} isBusy={create.isPending}>
          {t('Create the preview')}
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
      label={t('Name')}
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
        {rich('Files will be at {url}', { url: <code>{`/@~${name}/${zone}/v1/…`}</code> })}
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
      {t('Begins with')}
      {from === undefined ? (
        t('what is live now')
      ) : (
        <>{rich('the commit {commit}', { commit: <code>{from.slice(0, 10)}</code> })}</>
      )}
    </p>
    <Button kind="quiet" icon="history" onClick={onChoose}>
      {t('Choose a moment')}
    </Button>
  </div>
)

interface ExpiryFieldProps {
  readonly day: string
  readonly onChange: (day: string) => void
}

export const ExpiryField = ({ day, onChange }: ExpiryFieldProps) => (
  <TextField
    label={t('Expires after')}
    type="date"
    value={day}
    min={dayOf(new Date())}
    hint={t('Without a day it expires some weeks after its last change, as the service is set.')}
    onChange={({ target }) => onChange(target.value)}
  />
)
