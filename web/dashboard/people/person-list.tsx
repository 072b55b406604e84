import { useState } from 'react'

import { useChange } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { ChangeRoles, RemovePerson } from './change-person.tsx'
import { type Person, roleTexts } from './roles.ts'

interface PersonListProps {
  readonly people: readonly Person[]
  /** With another link, which is shown this once. */
  readonly onInvited: (url: string) => void
}

type Doing = { readonly person: Person; readonly what: 'roles' | 'remove' }

export function PersonList({ people, onInvited }: PersonListProps) {
  const [doing, setDoing] = useState<Doing>()
  const close = () => setDoing(undefined)
  return (
    <section className="card">
      <ul className="entries" aria-label={t('People')}>
        {people.map((person) => (
          <li key={person.id}>
            <PersonFacts person={person} />
            <div className="row">
              <Button kind="quiet" onClick={() => setDoing({ person, what: 'roles' })}>
                {rich('Roles<span> of {name}</span>', {
                  name: person.name,
                  span: (text) => <span className="hidden-text">{text}</span>,
                })}
              </Button>
              <PersonActions person={person} onInvited={onInvited} />
              <Button
                kind="quiet"
                icon="trash"
                onClick={() => setDoing({ person, what: 'remove' })}
              >
                {rich('Remove{name}', {
                  name: <span className="hidden-text"> {person.name}</span>,
                })}
              </Button>
            </div>
          </li>
        ))}
      </ul>
      {doing?.what === 'roles' && <ChangeRoles person={doing.person} onClose={close} />}
      {doing?.what === 'remove' && <RemovePerson person={doing.person} onClose={close} />}
    </section>
  )
}

const PersonFacts = ({ person }: { readonly person: Person }) => (
  <div>
    <p>
      {person.name} {person.state === 'invited' && <Badge>{t('invited')}</Badge>}
      {person.state === 'disabled' && <Badge>{t('disabled')}</Badge>}
    </p>
    <p className="fine-print">
      {person.email}
      {person.email !== '' && ' · '}
      {roleTexts(person).join('; ') || t('no role')}
    </p>
    <p className="fine-print">
      {person.lastSeenAt === null
        ? t('never seen')
        : rich('last seen {moment}', { moment: <Moment time={person.lastSeenAt} /> })}
      {person.invitationExpiresAt !== null && (
        <>
          {' · '}
          {rich('link until {moment}', { moment: <Moment time={person.invitationExpiresAt} /> })}
        </>
      )}
    </p>
  </div>
)

const onError = (error: Error): void => toastFailure(error)

function PersonActions({
  person,
  onInvited,
}: {
  readonly person: Person
  readonly onInvited: (url: string) => void
}) {
  const renew = useChange('renewInvitation', {
    changes: ['listPeople'],
    onSuccess: ({ Invitation }) => {
      if (Invitation !== null) onInvited(Invitation.url)
    },
  })
  const isDisabled = person.state === 'disabled'
  const update = useChange('updatePerson', {
    changes: ['listPeople'],
    onSuccess: () =>
      toast(
        isDisabled
          ? t('{name} may come in.', { name: person.name })
          : t('{name} is out.', { name: person.name }),
      ),
  })
  return (
    <>
      {!isDisabled && (
        <Button
          kind="quiet"
          isBusy={renew.isPending}
          onClick={() => renew.mutate({ id: person.id }, { onError })}
        >
          {rich('New link<span> for {name}</span>', {
            name: person.name,
            span: (text) => <span className="hidden-text">{text}</span>,
          })}
        </Button>
      )}
      <Button
        kind="quiet"
        isBusy={update.isPending}
        onClick={() =>
          update.mutate({ id: person.id, body: { disabled: !isDisabled } }, { onError })
        }
      >
        {isDisabled ? t('Enable') : t('Disable')}
        <span className="hidden-text"> {person.name}</span>
      </Button>
    </>
  )
}
