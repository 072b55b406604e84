import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { givenRole, RoleList, type RoleWish } from './role-fields.tsx'

interface InvitePersonProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** With the link, which is shown this once. */
  readonly onInvited: (url: string) => void
}

const noWish = { email: '', name: '' }
const noRoles: readonly RoleWish[] = [{ role: 'viewer', zones: new Set() }]

export function InvitePerson({ isOpen, onClose, onInvited }: InvitePersonProps) {
  const [who, setWho] = useState(noWish)
  const [roles, setRoles] = useState(noRoles)
  const invite = useChange('invitePerson', {
    changes: ['listPeople'],
    onSuccess: ({ Invitation, Message }) => {
      setWho(noWish)
      setRoles(noRoles)
      onClose()
      if (Invitation === null) toast(Message)
      else onInvited(Invitation.url)
    },
  })
  return (
    <Dialog title={t('Invite somebody')} isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const { email, name } = who
          invite.mutate({
            body: { email, roles: roles.map(givenRole), ...(name !== '' && { name }) },
          })
        }}
      >
        {invite.isError && <Failure error={invite.error} />}
        <TextField
          label={t('E-mail address')}
          type="email"
          value={who.email}
          autoComplete="off"
          hint={t('Nothing is sent: you get a link to hand on.')}
          onChange={(event) => setWho({ ...who, email: event.target.value })}
        />
        <TextField
          label={t('Name')}
          value={who.name}
          autoComplete="off"
          hint={t('As the audit log will show it.')}
          onChange={(event) => setWho({ ...who, name: event.target.value })}
        />
        <RoleList value={roles} onChange={setRoles} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={!who.email.includes('@')}
            isBusy={invite.isPending}
          >
            {t('Make the link')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
