import {
  type PublicKeyCredentialCreationOptionsJSON,
  startRegistration,
} from '@simplewebauthn/browser'

import { attempt, byId, call } from './call.ts'
import { t } from './text.ts'

/** What stands behind the `#` of the link, which stays there until it is used: a reload may follow. */
const secret = location.hash.slice(1)

async function join(): Promise<void> {
  const { options } = await call('POST', '/api/invitations/begin', { secret })
  const credential = await startRegistration({
    optionsJSON: options as PublicKeyCredentialCreationOptionsJSON,
  })
  const name = (byId('name') as HTMLInputElement).value
  await call('POST', '/api/invitations/complete', { secret, name, credential })
  location.replace('/dashboard/')
}

async function greet(): Promise<void> {
  const { name } = await call('POST', '/api/invitations/begin', { secret })
  byId('welcome').textContent = t('Welcome, {name}', { name: String(name) })
}

const form = byId('join') as HTMLFormElement
form.addEventListener('submit', (event) => {
  event.preventDefault()
  void attempt(join)
})
void attempt(greet)
