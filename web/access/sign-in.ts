import {
  browserSupportsWebAuthn,
  type PublicKeyCredentialRequestOptionsJSON,
  startAuthentication,
} from '@simplewebauthn/browser'

import { attempt, byId, call } from './call.ts'

async function signIn(): Promise<void> {
  const { options } = await call('POST', '/api/passkeys/auth/begin')
  const answer = await startAuthentication({
    optionsJSON: options as PublicKeyCredentialRequestOptionsJSON,
  })
  await call('POST', '/api/passkeys/auth/complete', answer)
  location.assign('/dashboard/')
}

if (browserSupportsWebAuthn()) {
  byId('passkey').hidden = false
  byId('use-passkey').addEventListener('click', () => void attempt(signIn))
}
