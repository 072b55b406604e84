import type { PersonRecord, RoleGrant } from '../../../ports/access/people-store.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import { invalid, ServiceError } from '../../errors.ts'
import { type Actor, auditRecordOf } from '../actor.ts'
import { grantsBeyond, grantsWithin, mergedGrants } from './grants.ts'
import type { Role } from './roles.ts'

export interface GivenRole {
  readonly role: Role
  /** Every one where `undefined`. */
  readonly zones: readonly string[] | undefined
}

export interface PersonRequest {
  readonly email: string
  readonly name: string
  readonly roles: readonly GivenRole[]
}

export interface PersonChange {
  readonly name?: string | undefined
  readonly roles?: readonly GivenRole[] | undefined
  readonly isDisabled?: boolean | undefined
}

export function givenGrants(roles: readonly GivenRole[], actor: Actor): readonly RoleGrant[] {
  const grants = roles.map(({ role, zones }): RoleGrant => ({ role, zones, source: 'here' }))
  if (grantsBeyond(grants, actor).length > 0)
    throw new ServiceError('InsufficientScope', 'roles must be for zones that are yours to give', {
      target: 'roles',
    })
  return mergedGrants(grants)
}

export interface Beginning {
  readonly id: string
  readonly at: Date
  readonly actor: Actor
}

export const newPerson = (
  given: Pick<PersonRecord, 'email' | 'name' | 'grants'>,
  { id, at, actor }: Beginning,
): PersonRecord => ({
  ...given,
  id,
  state: 'invited',
  identity: undefined,
  invitation: undefined,
  createdBy: actor.credentialId,
  createdAt: at,
  lastSeenAt: undefined,
})

/** Who has a link that nobody has used yet holds it for the roles that it was given with. */
export const withRoles = (person: PersonRecord, grants: readonly RoleGrant[]): PersonRecord => ({
  ...person,
  grants,
  invitation: undefined,
})

const isProviders = ({ source }: RoleGrant): boolean => source === 'provider'

export function changedPerson(
  person: PersonRecord,
  { name = person.name, roles, isDisabled }: PersonChange,
  actor: Actor,
): PersonRecord {
  const named = { ...person, name }
  const kept = [
    ...grantsBeyond(person.grants, actor),
    ...grantsWithin(person.grants, actor).filter(isProviders),
  ]
  const given =
    roles === undefined
      ? named
      : withRoles(named, mergedGrants([...kept, ...givenGrants(roles, actor)]))
  if (isDisabled === undefined) return given
  if (isDisabled) return { ...given, state: 'disabled', invitation: undefined }
  return { ...given, state: person.state === 'disabled' ? 'active' : person.state }
}

export const isInvitedBy = (
  { state, invitation }: PersonRecord,
  secretSha256: string,
  now: Date,
): boolean =>
  (state === 'invited' || state === 'active') &&
  invitation?.secretSha256 === secretSha256 &&
  invitation.expiresAt > now

interface Deed {
  readonly action: string
  readonly actor: Actor
  readonly at: Date
  readonly meta?: Readonly<Record<string, unknown>> | undefined
}

/** The zones of the roles say who may read the record. */
export function auditOfPerson(
  { id, name, email, grants }: PersonRecord,
  { action, actor, at, meta: more }: Deed,
): AuditRecord {
  const roles = grants.map(({ role, zones, source }) => ({ role, zones: zones ?? null, source }))
  const isForAll = grants.length === 0 || grants.some(({ zones }) => zones === undefined)
  const zones = [...new Set(grants.flatMap((grant) => grant.zones ?? []))]
  const meta = { name, email: email ?? null, roles, ...(!isForAll && { zones }), ...more }
  return auditRecordOf({ action, target: id, meta }, actor, at)
}

export function requireDone(outcome: 'done' | 'taken' | 'no such zone'): void {
  if (outcome === 'taken')
    throw new ServiceError('Forbidden', 'Somebody else has this e-mail address', {
      target: 'email',
    })
  if (outcome === 'no such zone') throw invalid('roles', 'must name zones that exist')
}

export const beyondReach = () =>
  new ServiceError(
    'InsufficientScope',
    'This is for an admin of every zone: the person has roles beyond yours',
  )

export const personNotFound = () =>
  new ServiceError('NotFound', 'There is no person with this id', { target: 'id' })
