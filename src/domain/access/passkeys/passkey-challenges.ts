import { randomBytes } from 'node:crypto'
import type { PasskeyChallenge, PasskeyStore } from '../../../ports/access/passkey-store.ts'
import type { Actor } from '../actor.ts'
import { orUnavailable } from '../or-unavailable.ts'
import type { ReadResponse } from './passkey-response.ts'
import { challengeLifeSeconds, type PasskeySite } from './passkey-options.ts'

type Purpose = PasskeyChallenge['purpose']

interface Dependencies {
  readonly store: Pick<PasskeyStore, 'addChallenge' | 'takeChallenge'>
  readonly now: () => Date
}

/** What authenticators are asked to sign: 32 random bytes, good once and for five minutes. */
export const createChallenges = ({ store, now }: Dependencies) => ({
  async ask(purpose: Purpose, site: PasskeySite, { credentialId }: Actor): Promise<string> {
    const at = now()
    const challenge = randomBytes(32).toString('base64url')
    const expiresAt = new Date(at.getTime() + challengeLifeSeconds * 1000)
    const asked = { challenge, purpose, ...site, askedBy: credentialId, expiresAt }
    await orUnavailable(store.addChallenge(asked, at))
    return challenge
  },

  /** It is gone before anything is checked, so nobody can try a response twice. */
  async take(
    read: ReadResponse | undefined,
    purpose: Purpose,
  ): Promise<PasskeyChallenge | undefined> {
    const taken = read && (await orUnavailable(store.takeChallenge(read.challenge)))
    return taken?.purpose === purpose && taken.expiresAt > now() ? taken : undefined
  },
})
