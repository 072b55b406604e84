import { useState } from 'react'

import type { Input } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Choices } from '../parts/forms/choices.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { CheckField, TextField } from '../parts/forms/field.tsx'

type Event = Input<'createWebhook'>['body']['events'][number]

const events: readonly { readonly value: Event; readonly label: string }[] = [
  { value: 'asset.created', label: t('Asset stored') },
  { value: 'asset.updated', label: t('Asset overwritten') },
  { value: 'asset.deleted', label: t('Asset deleted') },
  { value: 'asset.expired', label: t('Asset expired') },
  { value: 'deploy.completed', label: t('Commit live') },
  { value: 'zone.created', label: t('Zone created') },
  { value: 'zone.updated', label: t('Zone changed') },
  { value: 'zone.deleted', label: t('Zone deleted') },
  { value: 'rules.updated', label: t('Rules changed') },
  { value: 'domain.updated', label: t('Domain changed') },
  { value: 'preview.updated', label: t('Preview changed') },
  { value: 'purge.completed', label: t('Purged') },
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
    <Dialog title={t('Add a webhook')} isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({ body: { url, events: [...chosen], ordered: isOrdered } })
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <TextField
          label={t('URL')}
          type="url"
          value={url}
          placeholder="https://"
          spellCheck={false}
          onChange={(event) => setUrl(event.target.value)}
        />
        <Choices title={t('It is told')} options={events} chosen={chosen} onChange={setChosen} />
        <CheckField
          label={t('One event after the other, in order; one that fails holds the next ones back')}
          checked={isOrdered}
          onChange={({ target }) => setOrdered(target.checked)}
        />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={url === '' || chosen.size === 0}
            isBusy={create.isPending}
          >
            {t('Add the webhook')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
