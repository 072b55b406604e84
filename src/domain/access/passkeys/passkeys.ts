import type { Secret } from '../../../lib/secrets/secret.ts'
import type { PasskeyRecord, PasskeyStore } from '../../../ports/access/passkey-store.ts'
import type { PasskeyVerifier } from '../../../ports/access/passkey-verifier.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { type Actor, auditRecordOf } from '../actor.ts'
import { orUnavailable } from '../or-unavailable.ts'
import { type ReadResponse, readResponse } from './passkey-response.ts'
import { createChallenges } from './passkey-challenges.ts'
import {
  creationOptions,
  operatorHandle,
  type PasskeySite,
  requestOptions,
} from './passkey-options.ts'
import { createStatelessChallenges } from './stateless-challenges.ts'

export interface RegistrationResponse {
  /** The `PublicKeyCredential` as JSON; may be anything. */
  readonly response: unknown
  /** What the operator calls it. */
  readonly name: string
}

/** The operators' passkeys. */
export interface Passkeys {
  /** What to hand to the browser; good once, for five minutes, and for the same actor. */
  beginRegistration(site: PasskeySite, actor: Actor): Promise<ReturnType<typeof creationOptions>>
  completeRegistration(given: RegistrationResponse, actor: Actor): Promise<PasskeyRecord>
  beginAuthentication(site: PasskeySite): ReturnType<typeof requestOptions>
  /** The passkey that answered; refuses with `Unauthorized`, and never says why. */
  completeAuthentication(response: unknown, site: PasskeySite): Promise<PasskeyRecord>
  /** By time of creation. */
  list(): Promise<readonly PasskeyRecord[]>
  /** Ends the sessions that it opened, too. Refuses to take the last way in away. */
  remove(id: string, actor: Actor): Promise<void>
}

interface Dependencies {
  readonly store: PasskeyStore
  readonly verifier: PasskeyVerifier
  /** Whether operators can come in without a passkey. */
  readonly hasOtherWayIn: boolean
  /** What challenges are marked with, the newest first. */
  readonly secrets: readonly Secret[]
  readonly now: () => Date
}

export function createPasskeys(dependencies: Dependencies): Passkeys {
  const { store, verifier, hasOtherWayIn, now } = dependencies

  const challenges = createChallenges({ store, now })
  const stateless = createStatelessChallenges(dependencies)

  /** As it is kept once it is used up; of many answers to one challenge one counts. */
  async function spent(challenge: string, site: PasskeySite) {
    const expiresAt = stateless.read(challenge, site)
    if (expiresAt === undefined) return undefined
    const purpose = 'authenticate' as const
    const asked = { challenge, purpose, ...site, askedBy: 'anonymous', expiresAt }
    return (await orUnavailable(store.spendChallenge(asked, now()))) ? asked : undefined
  }

  return {
    async beginRegistration(site, actor) {
      const existing = await store.list()
      return creationOptions(await challenges.ask('register', site, actor), site, existing)
    },

    async completeRegistration({ response, name }, actor) {
      const asked = await challenges.take(readResponse(response), 'register')
      const isTheirs = asked?.askedBy === actor.credentialId
      const made = isTheirs ? await verifier.registration(response, asked) : undefined
      if (!asked || !made)
        throw invalid('credential', 'is not an answer to a registration begun here')
      const at = now()
      const passkey = { ...made, name, rpId: asked.rpId, createdAt: at, lastUsedAt: undefined }
      const deed = { action: 'passkey.add', target: passkey.id, meta: { name } }
      if (!(await orUnavailable(store.add(passkey, auditRecordOf(deed, actor, at)))))
        throw invalid('credential', 'is registered already')
      return passkey
    },

    beginAuthentication: (site) => requestOptions(stateless.make(site), site),

    async completeAuthentication(response, site) {
      const read = readResponse(response)
      const passkey = read && (await store.find(read.id))
      if (!passkey || passkey.rpId !== site.rpId || !isOperator(read, passkey)) throw refused()
      // Only who knows a passkey of ours gets as far as a row.
      const asked = await spent(read.challenge, site)
      if (!asked) throw refused()
      const counter = await verifier.authentication(response, passkey, asked)
      if (
        counter === undefined ||
        !(await orUnavailable(store.noteUse(passkey.id, counter, now())))
      )
        throw refused()
      return passkey
    },

    list: () => store.list(),

    async remove(id, actor) {
      const deed = { action: 'passkey.remove', target: id, meta: {} }
      const audit = auditRecordOf(deed, actor, now())
      const removal = await orUnavailable(store.remove(id, audit, { keepOne: !hasOtherWayIn }))
      if (removal === 'absent')
        throw new ServiceError('NotFound', 'There is no passkey with this id', { target: 'id' })
      if (removal === 'last')
        throw new ServiceError(
          'Forbidden',
          'This is the last way to sign in: add another passkey, or set a password, first',
        )
    },
  }
}

const isOperator = ({ userHandle }: ReadResponse, { rpId }: PasskeyRecord): boolean =>
  userHandle === undefined || userHandle === operatorHandle(rpId)

const refused = () => new ServiceError('Unauthorized', 'The passkey was not accepted')
