import type { Actor } from '../../access/actor.ts'
import { ServiceError } from '../../errors.ts'

export const grantActorPrefix = 'grant:'

/** The grant that an actor acts with; `undefined` for one with a key. */
export const grantIdOf = ({ credentialId }: Pick<Actor, 'credentialId'>): string | undefined =>
  credentialId.startsWith(grantActorPrefix)
    ? credentialId.slice(grantActorPrefix.length)
    : undefined

/** The service itself, on behalf of a grant. */
export const serviceFor = (grantId: string): Actor => ({
  credentialId: `${grantActorPrefix}${grantId}`,
  zones: undefined,
  ip: '',
  userAgent: undefined,
  requestId: '',
})

/** It was revoked, or its time is over, or who gave it could not any more. */
export const grantIsOver = () =>
  new ServiceError('Unauthorized', 'The upload grant is not good any more', { target: 'grant' })

export const grantIsUsedUp = () =>
  new ServiceError('Forbidden', 'The upload grant has been used as often as it may be', {
    target: 'grant',
  })
