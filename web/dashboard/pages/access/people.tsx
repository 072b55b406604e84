import { useState } from 'react'

import { useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { EmptyState } from '../../parts/feedback/empty-state.tsx'
import { QueryResult } from '../../parts/feedback/query-result.tsx'
import { ShownOnce } from '../../parts/feedback/shown-once.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { InvitePerson } from '../../people/invite-person.tsx'
import { PersonList } from '../../people/person-list.tsx'

/** Who may come in by their own name, and what their roles open. */
export function Page() {
  const people = useOperation('listPeople', {})
  const [isInviting, setInviting] = useState(false)
  const [link, setLink] = useState<string>()
  const invite = (
    <Button
      kind="primary"
      icon="plus"
      needs={{ scope: 'people:write' }}
      onClick={() => setInviting(true)}
    >
      {t('Invite somebody')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('People')}
        lead={t(
          'Each with roles, passkeys and tokens of their own. The password and the account key stay the way back in.',
        )}
      >
        {invite}
      </PageHeader>
      <QueryResult query={people} label={t('The people are loading')}>
        {({ People }) =>
          People.length === 0 ? (
            <EmptyState icon="people" title={t('Nobody is invited yet')}>
              <p>
                {t(
                  'Whoever works here can come in by their own name, and do no more than they need.',
                )}
              </p>
            </EmptyState>
          ) : (
            <PersonList people={People} onInvited={setLink} />
          )
        }
      </QueryResult>
      <InvitePerson isOpen={isInviting} onClose={() => setInviting(false)} onInvited={setLink} />
      <ShownOnce
        title={t('The invitation')}
        text={t(
          'Hand this link on: it lets its first opener in as this person, once, within seven days.',
        )}
        secret={link}
        onClose={() => setLink(undefined)}
      />
    </>
  )
}
