import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { givenRole, RoleList, type RoleWish } from './role-fields.tsx'
import { type Person, roleTexts } from './roles.ts'

interface ChangePersonProps {
  readonly person: Person
  readonly onClose: () => void
}

/** Where one starts: what was given here before. */
const wishesOf = ({ roles }: Person): readonly RoleWish[] => {
  const given = roles.filter(({ source }) => source === 'here')
  if (given.length === 0) return [{ role: 'viewer', zones: new Set() }]
  return given.map(({ role, zones }) => ({ role, zones: new Set(zones ?? []) }))
}

export function ChangeRoles({ person, onClose }: ChangePersonProps) {
  const [wishes, setWishes] = useState(() => wishesOf(person))
  const update = useChange('updatePerson', {
    changes: ['listPeople'],
    onSuccess: () => {
      toast(t('The roles of {name} are changed.', { name: person.name }))
      onClose()
    },
  })
  return (
    <Dialog title={t('Roles of {name}', { name: person.name })} isOpen onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          update.mutate({ id: person.id, body: { roles: wishes.map(givenRole) } })
        }}
      >
        {update.isError && <Failure error={update.error} />}
        <p>
          {t(
            'Now: {roles}. What you choose takes the place of what was given here; it counts with the next request.',
            { roles: roleTexts(person).join('; ') || t('none') },
          )}
        </p>
        <RoleList value={wishes} onChange={setWishes} />
        <div className="dialog-actions">
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button type="submit" kind="primary" isBusy={update.isPending}>
            {t('Change the roles')}
          </Button>
        </div>
      </form>
    </Dialog>
  )
}

export function RemovePerson({ person, onClose }: ChangePersonProps) {
  const remove = useChange('removePerson', {
    changes: ['listPeople', 'listTokens'],
    onSuccess: () => {
      toast(t('{name} is removed.', { name: person.name }))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('Remove {name}', { name: person.name })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="danger"
            isBusy={remove.isPending}
            onClick={() => remove.mutate({ id: person.id })}
          >
            {t('Remove for good')}
          </Button>
        </>
      }
    >
      {remove.isError && <Failure error={remove.error} />}
      <p>
        {t(
          'Sessions, passkeys and tokens of {name} end at once. The name stays in the audit log.',
          { name: person.name },
        )}
      </p>
    </Dialog>
  )
}
