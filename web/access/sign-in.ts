import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'

import { attempt, byId, call } from './call.ts'

async function signIn(): Promise<void> {
  const { options } = await call('POST', '/api/passkeys/auth/begin')
  const response = await startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
  })
  await call('POST', '/api/passkeys/auth/complete', response)
  location.assign(wantedPage())
}

/** The page of the dashboard that somebody wanted to see, and nothing else. */
function wantedPage(): string {
  const home = '/dashboard/'
  const to = new URLSearchParams(location.search).get('to') ?? home
  const wanted = new URL(URL.canParse(to, location.origin) ? to : home, location.origin)
  const isOwn = wanted.origin === location.origin && wanted.pathname.startsWith(home)
  return isOwn ? wanted.pathname + wanted.search : home
}

/**
 * The link that a start at a terminal shows. What it has is sent from here, so that nothing that only
 * looks at links uses it up, and is taken out of the address, so that no history keeps it.
 */
function useLink(once: string): void {
  history.replaceState(null, '', location.pathname)
  const form = document.createElement('form')
  form.method = 'post'
  form.action = '/dashboard/login'
  const field = document.createElement('input')
  field.type = 'hidden'
  field.name = 'once'
  field.value = once
  form.append(field)
  document.body.append(form)
  form.submit()
}

const passkey = byId('passkey')
if (passkey.dataset['passkeys'] === 'registered' && browserSupportsWebAuthn()) {
  passkey.hidden = false
  byId('use-passkey').addEventListener('click', () => void attempt(signIn))
}
const once = new URLSearchParams(location.search).get('once')
if (once !== null) useLink(once)
