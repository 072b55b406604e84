import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'
import { type FormEvent, useState, useSyncExternalStore } from 'react'

import { refusalOf } from '../../../src/client/refusal.ts'
import { messageOf } from '../api/client.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { sessionGate } from '../api/session-gate.ts'

/** Comes up over whatever is on the page when the session has ended, and leaves it as it was. */
export function SignInDialog() {
  const isOpen = useSyncExternalStore(sessionGate.subscribe, sessionGate.isClosed)
  return (
    <Dialog title={t('Sign in to go on')} isOpen={isOpen} onClose={sessionGate.givenUp}>
      <SignInForm />
    </Dialog>
  )
}

function SignInForm() {
  const [password, setPassword] = useState('')
  const [fault, setFault] = useState<string>()
  const [isBusy, setBusy] = useState(false)
  const attempt = async (signIn: () => Promise<void>) => {
    setBusy(true)
    setFault(undefined)
    try {
      await signIn()
      sessionGate.signedIn()
    } catch (error) {
      setFault(messageOf(error))
    } finally {
      setBusy(false)
    }
  }
  const submit = (event: FormEvent) => {
    event.preventDefault()
    void attempt(() => signInWithPassword(password))
  }
  return (
    <form className="stack" onSubmit={submit}>
      <p>{t('The session has ended. Nothing on this page is lost.')}</p>
      {browserSupportsWebAuthn() && (
        <Button icon="key" isBusy={isBusy} onClick={() => void attempt(signInWithPasskey)}>
          {t('Sign in with a passkey')}
        </Button>
      )}
      <TextField
        label={t('Password')}
        type="password"
        autoComplete="current-password"
        required
        value={password}
        fault={fault}
        onChange={(event) => setPassword(event.target.value)}
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {t('Sign in')}
      </Button>
    </form>
  )
}

async function post(path: string, body: unknown): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify(body),
  })
  if (!response.ok) throw await refusalOf(response, Date.now)
  return (await response.json()) as Readonly<Record<string, unknown>>
}

async function signInWithPasskey(): Promise<void> {
  const { options } = await post('/api/passkeys/auth/begin', undefined)
  const response = await startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
  })
  await post('/api/passkeys/auth/complete', response)
}

/** A success leads on to the dashboard, which is here already. */
async function signInWithPassword(password: string): Promise<void> {
  const response = await fetch('/dashboard/login', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', Accept: 'application/json' },
    body: JSON.stringify({ password }),
    redirect: 'manual',
  })
  if (response.type !== 'opaqueredirect' && !response.ok) throw await refusalOf(response, Date.now)
}
