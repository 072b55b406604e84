import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Button } from '../parts/forms/button.tsx'
import { SelectField } from '../parts/forms/field.tsx'
import type { MadeToken } from './new-token.tsx'

interface RotateTokenProps {
  readonly token: ResponseOf<'listTokens'>['Tokens'][number]
  readonly onClose: () => void
  readonly onRotated: (made: MadeToken) => void
}

const overlaps = [
  { value: '0', label: t('not at all') },
  { value: '3600', label: t('an hour') },
  { value: '86400', label: t('a day') },
  { value: '604800', label: t('7 days') },
] as const

/** Another secret, and how long the one before is good yet. */
export function RotateToken({ token, onClose, onRotated }: RotateTokenProps) {
  const [overlap, setOverlap] = useState('86400')
  const rotate = useChange('rotateToken', {
    changes: ['listTokens'],
    onSuccess: ({ token: secret, Token: { scopes } }) => {
      onClose()
      onRotated({ secret, scopes })
    },
  })
  return (
    <Dialog
      title={t('Rotate {name}', { name: token.name })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            isBusy={rotate.isPending}
            onClick={() =>
              rotate.mutate({ id: token.id, body: { overlapSeconds: Number(overlap) } })
            }
          >
            {t('Make another secret')}
          </Button>
        </>
      }
    >
      {rotate.isError && <Failure error={rotate.error} />}
      <p>{t('Permissions, zones and expiry stay. Change over before the former secret ends.')}</p>
      <SelectField
        label={t('The former secret is good for')}
        value={overlap}
        options={overlaps}
        onChange={(event) => setOverlap(event.target.value)}
      />
    </Dialog>
  )
}
