import type { PasskeyRecord, PasskeyStore } from '../../ports/passkey-store.ts'
import type { PasskeyVerifier } from '../../ports/passkey-verifier.ts'
import { invalid, ServiceError } from '../errors.ts'
import { type Actor, auditRecordOf } from './actor.ts'
import { orUnavailable } from './or-unavailable.ts'
import { type ReadAnswer, readAnswer } from './passkey-answer.ts'
import { createChallenges } from './passkey-challenges.ts'
import {
  creationOptions,
  operatorHandle,
  type PasskeySite,
  requestOptions,
} from './passkey-options.ts'

export interface RegistrationAnswer {
  /** The `PublicKeyCredential` as JSON; may be anything. */
  readonly answer: unknown
  /** What the operator calls it. */
  readonly name: string
}

/** The operators' passkeys. */
export interface Passkeys {
  /** What to hand to the browser; good once, for five minutes, and for the same actor. */
  beginRegistration(site: PasskeySite, actor: Actor): Promise<ReturnType<typeof creationOptions>>
  completeRegistration(given: RegistrationAnswer, actor: Actor): Promise<PasskeyRecord>
  beginAuthentication(site: PasskeySite, actor: Actor): Promise<ReturnType<typeof requestOptions>>
  /** The passkey that answered; refuses with `Unauthorized`, and never says why. */
  completeAuthentication(answer: unknown): Promise<PasskeyRecord>
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
  readonly now: () => Date
}

export function createPasskeys(dependencies: Dependencies): Passkeys {
  const { store, verifier, hasOtherWayIn, now } = dependencies

  const challenges = createChallenges({ store, now })

  return {
    async beginRegistration(site, actor) {
      const existing = await store.list()
      return creationOptions(await challenges.ask('register', site, actor), site, existing)
    },

    async completeRegistration({ answer, name }, actor) {
      const asked = await challenges.take(readAnswer(answer), 'register')
      const isTheirs = asked?.askedBy === actor.credentialId
      const made = isTheirs ? await verifier.registration(answer, asked) : undefined
      if (!asked || !made)
        throw invalid('credential', 'is not an answer to a registration begun here')
      const at = now()
      const passkey = { ...made, name, rpId: asked.rpId, createdAt: at, lastUsedAt: undefined }
      const deed = { action: 'passkey.add', target: passkey.id, meta: { name } }
      if (!(await orUnavailable(store.add(passkey, auditRecordOf(deed, actor, at)))))
        throw invalid('credential', 'is registered already')
      return passkey
    },

    beginAuthentication: async (site, actor) =>
      requestOptions(await challenges.ask('authenticate', site, actor), site),

    async completeAuthentication(answer) {
      const read = readAnswer(answer)
      const asked = await challenges.take(read, 'authenticate')
      const passkey = read && asked && (await store.find(read.id))
      if (!passkey || passkey.rpId !== asked.rpId || !isOperator(read, passkey)) throw refused()
      const counter = await verifier.authentication(answer, passkey, asked)
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

const isOperator = ({ userHandle }: ReadAnswer, { rpId }: PasskeyRecord): boolean =>
  userHandle === undefined || userHandle === operatorHandle(rpId)

const refused = () => new ServiceError('Unauthorized', 'The passkey was not accepted')
