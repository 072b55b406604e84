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
  ownerHandle,
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

/** Whoever a passkey is for. */
interface PasskeyOwner {
  readonly email: string | undefined
  readonly name: string
}

/** The passkeys of operators and people: each person registers and removes their own. */
export interface Passkeys {
  /** What to hand to the browser; good once, for five minutes, and for the same actor. */
  beginRegistration(site: PasskeySite, actor: Actor): Promise<ReturnType<typeof creationOptions>>
  /** `beforeKept` is what has to be once the response is found good; what it throws refuses all of it. */
  completeRegistration(
    given: RegistrationResponse,
    actor: Actor,
    beforeKept?: () => Promise<void>,
  ): Promise<PasskeyRecord>
  beginAuthentication(site: PasskeySite): ReturnType<typeof requestOptions>
  /** The passkey that answered; refuses with `Unauthorized`, and never says why. */
  completeAuthentication(response: unknown, site: PasskeySite): Promise<PasskeyRecord>
  /** By time of creation; of a person for less than all zones the person's own. */
  list(actor: PasskeyActor): Promise<readonly PasskeyRecord[]>
  /** Whether any is registered for the site. */
  hasAny(rpId: string): Promise<boolean>
  /** Ends the sessions that it opened, too. Refuses to take the last way in away. */
  remove(id: string, actor: Actor): Promise<void>
}

interface Dependencies {
  readonly store: PasskeyStore
  readonly verifier: PasskeyVerifier
  /** Whether operators can come in without a passkey. */
  readonly hasOtherWayIn: boolean
  /** Somebody who may come in, or is about to. */
  readonly findOwner: (personId: string) => PasskeyOwner | undefined
  /** Whether the person may come in. */
  readonly mayComeIn: (personId: string) => boolean
  /** What challenges are marked with, the newest first. */
  readonly secrets: readonly Secret[]
  readonly now: () => Date
}

export function createPasskeys(dependencies: Dependencies): Passkeys {
  const { store, verifier, findOwner, mayComeIn, now } = dependencies

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
      const { personId } = actor
      const existing = (await store.list()).filter((each) => each.personId === personId)
      const challenge = await challenges.ask('register', site, actor)
      return creationOptions(challenge, { site, existing, user: userOf(personId, site, findOwner) })
    },

    async completeRegistration({ response, name }, actor, beforeKept) {
      const asked = await challenges.take(readResponse(response), 'register')
      const isTheirs = asked?.askedBy === actor.credentialId
      const made = isTheirs ? await verifier.registration(response, asked) : undefined
      if (!asked || !made)
        throw invalid('credential', 'is not an answer to a registration begun here')
      await beforeKept?.()
      const at = now()
      const begin = { createdAt: at, lastUsedAt: undefined, personId: actor.personId }
      const passkey = { ...made, name, rpId: asked.rpId, ...begin }
      const deed = { action: 'passkey.add', target: passkey.id, meta: { name } }
      if (!(await orUnavailable(store.add(passkey, auditRecordOf(deed, actor, at)))))
        throw invalid('credential', 'is registered already')
      return passkey
    },

    beginAuthentication: (site) => requestOptions(stateless.make(site), site),

    async completeAuthentication(response, site) {
      const read = readResponse(response)
      const passkey = read && (await store.find(read.id))
      if (!passkey || passkey.rpId !== site.rpId || !isOwner(read, passkey)) throw refused()
      if (passkey.personId !== undefined && !mayComeIn(passkey.personId)) throw refused()
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

    list: async (actor) => (await store.list()).filter((each) => isShownTo(each, actor)),

    hasAny: async (rpId) => (await store.list()).some((each) => each.rpId === rpId),

    remove: (id, actor) => removePasskey(id, actor, dependencies),
  }
}

async function removePasskey(
  id: string,
  actor: Actor,
  { store, hasOtherWayIn, now }: Dependencies,
): Promise<void> {
  const known = await store.find(id)
  if (known !== undefined && !isShownTo(known, actor)) throw noSuchPasskey()
  const deed = { action: 'passkey.remove', target: id, meta: {} }
  const audit = auditRecordOf(deed, actor, now())
  const removal = await orUnavailable(store.remove(id, audit, { keepOne: !hasOtherWayIn }))
  if (removal === 'absent') throw noSuchPasskey()
  if (removal === 'last')
    throw new ServiceError(
      'Forbidden',
      'This is the last way to sign in: add another passkey, or set a password, first',
    )
}

type PasskeyActor = Pick<Actor, 'zones' | 'personId'>

const isShownTo = (record: PasskeyRecord, { zones, personId }: PasskeyActor): boolean =>
  zones === undefined || (personId !== undefined && record.personId === personId)

const isOwner = ({ userHandle }: ReadResponse, { rpId, personId }: PasskeyRecord): boolean =>
  userHandle === undefined || userHandle === ownerHandle(rpId, personId)

function userOf(
  personId: string | undefined,
  { rpId }: PasskeySite,
  findOwner: Dependencies['findOwner'],
) {
  const id = ownerHandle(rpId, personId)
  if (personId === undefined) return { id, name: 'operator', displayName: 'Operator' }
  const { email, name = '' } = findOwner(personId) ?? {}
  return { id, name: email ?? name, displayName: name }
}

const noSuchPasskey = () =>
  new ServiceError('NotFound', 'There is no passkey with this id', { target: 'id' })

const refused = () => new ServiceError('Unauthorized', 'The passkey was not accepted')
