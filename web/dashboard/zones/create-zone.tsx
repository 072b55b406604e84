import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { goTo } from '../router.tsx'
import { faultOfZoneName } from './zone-name.ts'

interface CreateZoneProps {
  readonly isOpen: boolean
  readonly onClose: () => void
}

export function CreateZone({ isOpen, onClose }: CreateZoneProps) {
  const [name, setName] = useState('')
  const fault = faultOfZoneName(name)
  const create = useChange('createZone', {
    changes: ['listZones'],
    onSuccess: ({ Name }) => {
      toast(t('The zone {name} is there.', { name: Name }))
      close()
      goTo('zone', { zone: Name })
    },
  })
  function close() {
    setName('')
    create.reset()
    onClose()
  }
  return (
    <Dialog title={t('Create a zone')} isOpen={isOpen} onClose={close}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          if (fault === undefined && name.length > 1) create.mutate({ body: { Name: name } })
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <TextField
          label={t('Name')}
          value={name}
          autoComplete="off"
          spellCheck={false}
          autoCapitalize="none"
          fault={fault}
          hint={t(
            'Lower-case letters, digits and hyphens. It is the first part of every URL and cannot be changed later.',
          )}
          onChange={(event) => setName(event.target.value)}
        />
        {name !== '' && fault === undefined && (
          <p className="fine-print">
            {rich('Files will be at {url}', { url: <code>{`/${name}/v1/…`}</code> })}
          </p>
        )}
        <div className="dialog-actions">
          <Button onClick={close}>{t('Cancel')}</Button>
          <Button type="submit" kind="primary" disabled={name === ''} isBusy={create.isPending}>
            {t('Create the zone')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
