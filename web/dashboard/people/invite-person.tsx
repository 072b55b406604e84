import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { givenRole, RoleFields, type RoleWish } from './role-fields.tsx'

interface InvitePersonProps {
  readonly isOpen: boolean
  readonly onClose: () => void
  /** With the link, which is shown this once. */
  readonly onInvited: (url: string) => void
}

const noWish = { email: '', name: '' }
const noRole: RoleWish = { role: 'viewer', zones: new Set() }

export function InvitePerson({ isOpen, onClose, onInvited }: InvitePersonProps) {
  const [who, setWho] = useState(noWish)
  const [role, setRole] = useState(noRole)
  const invite = useChange('invitePerson', {
    changes: ['listPeople'],
    onSuccess: ({ Invitation, Message }) => {
      setWho(noWish)
      setRole(noRole)
      onClose()
      if (Invitation === null) toast(Message)
      else onInvited(Invitation.url)
    },
  })
  return (
    <Dialog title="Invite somebody" isOpen={isOpen} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const { email, name } = who
          invite.mutate({
            body: { email, roles: [givenRole(role)], ...(name !== '' && { name }) },
          })
        }}
      >
        {invite.isError && <Failure error={invite.error} />}
        <TextField
          label="E-mail address"
          type="email"
          value={who.email}
          autoComplete="off"
          hint="Nothing is sent: you get a link to hand on."
          onChange={(event) => setWho({ ...who, email: event.target.value })}
        />
        <TextField
          label="Name"
          value={who.name}
          autoComplete="off"
          hint="As the audit log will show it."
          onChange={(event) => setWho({ ...who, name: event.target.value })}
        />
        <RoleFields value={role} onChange={setRole} />
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            kind="primary"
            disabled={!who.email.includes('@')}
            isBusy={invite.isPending}
          >
            Make the link
          </Button>
        </div>
      </form>
    </Dialog>
  )
}
