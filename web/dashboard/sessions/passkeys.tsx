import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '../api/client.ts'
import { useChange, useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { hidden } from '../language/hidden-text.tsx'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'

export function Passkeys() {
  const passkeys = useOperation('listPasskeys', {})
  return (
    <section className="card">
      <h2>{t('Passkeys')}</h2>
      <QueryResult query={passkeys} label={t('The passkeys are loading')}>
        {({ Passkeys: all }) => (
          <div className="stack">
            {all.length === 0 && (
              <p>{t('There is none yet: whoever knows the password can sign in.')}</p>
            )}
            <ul className="entries">
              {all.map(({ id, name, createdAt, lastUsedAt, backedUp }) => (
                <li key={id}>
                  <div>
                    <p>
                      {name} {backedUp && <Badge>{t('synchronised')}</Badge>}
                    </p>
                    <p className="fine-print">
                      {lastUsedAt === null
                        ? rich('Registered {created}, never used', {
                            created: <Moment time={createdAt} />,
                          })
                        : rich('Registered {created}, last used {used}', {
                            created: <Moment time={createdAt} />,
                            used: <Moment time={lastUsedAt} />,
                          })}
                    </p>
                  </div>
                  <RemovePasskey id={id} name={name} />
                </li>
              ))}
            </ul>
            <AddPasskey />
          </div>
        )}
      </QueryResult>
    </section>
  )
}

function RemovePasskey({ id, name }: { readonly id: string; readonly name: string }) {
  const remove = useChange('removePasskey', {
    changes: ['listPasskeys', 'listSessions'],
    onSuccess: () => toast(t('{name} is removed, and the sessions it opened are ended.', { name })),
  })
  return (
    <Button
      kind="quiet"
      icon="trash"
      isBusy={remove.isPending}
      onClick={() => remove.mutate({ id }, { onError: (error) => toastFailure(error) })}
    >
      {rich('Remove <hidden>{name}</hidden>', {
        name,
        hidden,
      })}
    </Button>
  )
}

/** The browser and the key agree on a pair; only the public half comes to the service. */
async function register(name: string): Promise<void> {
  const { options } = await client.beginPasskeyRegistration()
  const credential = await startRegistration({
    optionsJSON: options as unknown as PublicKeyCredentialCreationOptionsJSON,
  })
  const { id, rawId, response } = credential
  await client.completePasskeyRegistration({
    body: { id, rawId, type: 'public-key', response: { ...response }, name },
  })
}

function AddPasskey() {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const add = useMutation({
    mutationFn: register,
    onSuccess: async () => {
      toast(t('The passkey {name} is registered.', { name }))
      setName('')
      await queries.invalidateQueries({ queryKey: ['listPasskeys'] })
    },
  })
  return (
    <form
      className="stack narrow"
      onSubmit={(event) => {
        event.preventDefault()
        add.mutate(name)
      }}
    >
      {add.isError && <Failure error={add.error} />}
      <TextField
        label={t('Name of a new passkey')}
        value={name}
        autoComplete="off"
        hint={t('Where it is, e.g. laptop or blue key.')}
        onChange={(event) => setName(event.target.value)}
      />
      <div>
        <Button
          type="submit"
          kind="primary"
          icon="plus"
          disabled={name === ''}
          isBusy={add.isPending}
        >
          {t('Register a passkey')}
        </Button>
      </div>
    </form>
  )
}
