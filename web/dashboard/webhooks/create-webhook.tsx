import { useState } from 'react'

import type { Input } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { Button } from '../parts/forms/button.tsx'
import { Choices } from '../parts/forms/choices.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { CheckField, TextField } from '../parts/forms/field.tsx'

type Event = Input<'createWebhook'>['body']['events'][number]

const events: readonly { readonly value: Event; readonly label: string }[] = [
  { value: 'asset.created', label: 'Asset stored' },
  { value: 'asset.updated', label: 'Asset overwritten' },
  { value: 'asset.deleted', label: 'Asset deleted' },
  { value: 'asset.expired', label: 'Asset expired' },
  { value: 'deploy.completed', label: 'Commit live' },
  { value: 'zone.created', label: 'Zone created' },
  { value: 'zone.updated', label: 'Zone changed' },
  { value: 'zone.deleted', label: 'Zone deleted' },
  { value: 'rules.updated', label: 'Rules changed' },
  { value: 'domain.updated', label: 'Domain changed' },
  { value: 'preview.updated', label: 'Preview changed' },
  { value: 'purge.completed', label: 'Purged' },
]

interface CreateWebhookProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** With the secret, which is told this once; `undefined` where the caller chose it. */
  readonly onCreated: (secret: string | undefined) => void
}

export function CreateWebhook({ isOpen, onClose, onCreated }: CreateWebhookProps) {
  const [url, setUrl] = useState('')
  const [chosen, setChosen] = useState<ReadonlySet<Event>>(new Set())
  const [isOrdered, setOrdered] = useState(false)
  const create = useChange('createWebhook', {
    changes: ['listWebhooks'],
    onSuccess: ({ secret }) => {
      setUrl('')
      setChosen(new Set())
      onCreated(secret)
    },
  })
  return (
    <Dialog title="Add a webhook" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ body: { url, events: [...chosen], ordered: isOrdered } })
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <TextField
          label="URL"
          type="url"
          value={url}
          placeholder="https://"
          spellCheck={false}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Choices title="It is told" options={events} chosen={chosen} onChange={setChosen} />
        <CheckField
          label="One event after the other, in order; one that fails holds the next ones back"
          checked={isOrdered}
          onChange={({ target }) => setOrdered(target.checked)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={url === '' || chosen.size === 0}
            isBusy={create.isPending}
          >
            Add the webhook
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
