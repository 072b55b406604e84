import type { ProvidedIdentity } from '../../../ports/access/identity-provider.ts'
import type { PersonRecord, RoleGrant } from '../../../ports/access/people-store.ts'
import { ServiceError } from '../../errors.ts'
import type { Actor } from '../actor.ts'
import { mergedGrants } from './grants.ts'
import type { People } from './people.ts'

export interface ProviderRules {
  /** What groups may do; the group `*` is whoever signs in. */
  readonly roles: readonly {
    readonly group: string
    readonly role: string
    readonly zones: readonly string[] | undefined
  }[]
  /** Whose addresses may come in; all where it is empty. */
  readonly emailDomains: readonly string[]
  readonly trustsEmail: boolean
}

export interface ProviderSignIn {
  readonly people: People
  readonly rules: ProviderRules
  readonly hasZone: (name: string) => boolean
}

/**
 * Who the provider says it is, as a person here: found by what the provider calls them, else by an e-mail
 * address that is theirs for certain, else made where a group of theirs has a role. What groups give is
 * counted anew each time. Refuses with `Forbidden` whoever nobody let in.
 */
export async function personOfIdentity(
  identity: ProvidedIdentity,
  newcomer: Actor,
  { people, rules, hasZone }: ProviderSignIn,
): Promise<PersonRecord> {
  const { issuer, subject } = identity
  const email = identity.isEmailVerified || rules.trustsEmail ? identity.email : undefined
  if (!isOfDomains(email, rules.emailDomains))
    throw refused('E-mail addresses of this domain do not come in here')
  const granted = grantsOf(identity.groups, rules, hasZone)
  const known = people.atProvider({ issuer, subject }, email)
  if (known === undefined) {
    if (granted.length === 0)
      throw refused('Nobody has invited you here, and no group of yours has a role')
    const person = newPerson(identity, email, granted)
    return await people.add(person, newcomer)
  }
  refuseOther(known, identity)
  const change = (person: PersonRecord) => joined(person, { issuer, subject }, granted)
  const actor = { ...newcomer, credentialId: `person:${known.id}` }
  const next = change(known)
  const person = isUnchanged(known, next)
    ? known
    : await people.advance({ id: known.id, action: 'person.join', ends: 'nothing', change }, actor)
  if (person.grants.length === 0) throw refused('You have no role here any more')
  return person
}

function refuseOther({ state, identity: known }: PersonRecord, identity: ProvidedIdentity): void {
  if (state === 'disabled') throw refused('This account is disabled')
  if (known !== undefined && !isSame(known, identity))
    throw refused('Somebody else signs in with this e-mail address')
}

const joined = (
  person: PersonRecord,
  identity: PersonRecord['identity'],
  granted: readonly RoleGrant[],
): PersonRecord => ({
  ...person,
  state: 'active',
  identity,
  invitation: undefined,
  grants: mergedGrants([...person.grants.filter(({ source }) => source === 'here'), ...granted]),
})

const newPerson = (
  { issuer, subject, name }: ProvidedIdentity,
  email: string | undefined,
  grants: readonly RoleGrant[],
): Omit<PersonRecord, 'id' | 'createdAt'> => ({
  email,
  name: (name ?? email ?? subject).slice(0, 100),
  state: 'active',
  identity: { issuer, subject },
  grants,
  invitation: undefined,
  createdBy: 'identity-provider',
  lastSeenAt: undefined,
})

/** Zones that are not there any more, or not yet, are passed over. */
function grantsOf(
  groups: readonly string[],
  { roles }: ProviderRules,
  hasZone: (name: string) => boolean,
): readonly RoleGrant[] {
  const mine = new Set([...groups, '*'])
  return mergedGrants(
    roles.flatMap(({ group, role, zones }): RoleGrant[] => {
      if (!mine.has(group)) return []
      const there = zones?.filter(hasZone)
      return there?.length === 0 ? [] : [{ role, zones: there, source: 'provider' }]
    }),
  )
}

function isOfDomains(email: string | undefined, domains: readonly string[]): boolean {
  if (domains.length === 0) return true
  return email !== undefined && domains.includes(email.slice(email.lastIndexOf('@') + 1))
}

const isSame = (
  one: { readonly issuer: string; readonly subject: string },
  other: { readonly issuer: string; readonly subject: string },
): boolean => one.issuer === other.issuer && one.subject === other.subject

const isUnchanged = (known: PersonRecord, next: PersonRecord): boolean =>
  JSON.stringify(mergedGrants(known.grants)) === JSON.stringify(next.grants) &&
  known.state === next.state &&
  known.identity !== undefined &&
  known.invitation === undefined

const refused = (message: string) => new ServiceError('Forbidden', message)
