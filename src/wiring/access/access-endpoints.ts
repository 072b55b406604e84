import { type Endpoint, endpoints } from '../../http/operation.ts'
import { invitationOperations } from '../../planes/access/invitations.ts'
import { passkeyOperations } from '../../planes/access/passkeys.ts'
import { oidcOperations } from '../../planes/access/oidc.ts'
import { peopleOperations } from '../../planes/access/people.ts'
import { sessionOperations } from '../../planes/access/sessions.ts'
import { signInOperations } from '../../planes/access/sign-in.ts'
import { tokenOperations } from '../../planes/access/tokens.ts'
import type { Stores } from '../content/stores.ts'
import type { World } from '../world.ts'
import type { Access } from './access.ts'

interface Opened {
  readonly access: Access
  readonly stores: Pick<Stores, 'audit'>
}

/** Tokens, people, and how they and operators get in. */
export function accessEndpoints(
  { now, log }: World,
  { access, stores: { audit } }: Opened,
): readonly Endpoint[] {
  const { operations } = access
  return [
    ...endpoints(tokenOperations, operations),
    ...endpoints(passkeyOperations, operations),
    ...endpoints(sessionOperations, operations),
    ...endpoints(peopleOperations, operations),
    ...endpoints(invitationOperations, operations),
    ...endpoints(signInOperations, { ...operations, audit, now }),
    ...endpoints(oidcOperations, { ...operations, audit, log, now }),
  ]
}
