import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import type { MadeToken } from './new-token.tsx'
import { TokenFields, type TokenWish } from './token-fields.tsx'

interface CreateTokenProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** With the secret, which is told this once. */
  readonly onCreated: (made: MadeToken) => void
}

const noWish: TokenWish = { name: '', days: '90', scopes: new Set(), zones: new Set() }

export function CreateToken({ isOpen, onClose, onCreated }: CreateTokenProps) {
  const [wish, setWish] = useState(noWish)
  const create = useChange('createToken', {
    changes: ['listTokens'],
    onSuccess: ({ token, scopes }) => {
      setWish(noWish)
      onCreated({ secret: token, scopes })
    },
  })
  return (
    <Dialog title={t('Create a token')} isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          create.mutate({
            body: {
              name: wish.name,
              scopes: [...wish.scopes],
              expiresInDays: Number(wish.days),
              zones: wish.zones.size === 0 ? null : [...wish.zones],
            },
          })
        }}
      >
        {create.isError && <Failure error={create.error} />}
        <TokenFields value={wish} onChange={setWish} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={wish.name === '' || wish.scopes.size === 0}
            isBusy={create.isPending}
          >
            {t('Create the token')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
