import type { AuditRecord } from '../records/audit.ts'

/** What a person may do, and where. */
export interface RoleGrant {
  readonly role: string
  /** In byte order; every one where `undefined`, never empty. */
  readonly zones: readonly string[] | undefined
  /** Whether it was given here, or comes with each sign-in from the identity provider's groups. */
  readonly source: 'here' | 'provider'
}

export type PersonState = 'invited' | 'active' | 'disabled' | 'removed'

/** Somebody with roles. Who is removed stays as a name, for the deeds in the audit log. */
export interface PersonRecord {
  readonly id: string
  /** In lower case; gone once the person is removed. */
  readonly email: string | undefined
  readonly name: string
  readonly state: PersonState
  /** Who the person is at the identity provider, from the first sign-in there on. */
  readonly identity: ProviderIdentity | undefined
  readonly grants: readonly RoleGrant[]
  /** The link that lets the person in once: its hash alone is kept. */
  readonly invitation: Invitation | undefined
  /** The id of the credential that invited the person. */
  readonly createdBy: string
  readonly createdAt: Date
  /** To the minute. */
  readonly lastSeenAt: Date | undefined
}

export interface ProviderIdentity {
  readonly issuer: string
  readonly subject: string
}

export interface Invitation {
  /** Lower-case hex SHA-256 of the secret. */
  readonly secretSha256: string
  readonly expiresAt: Date
}

/** What goes with a change: sessions alone, or passkeys and tokens as well. */
export type EndedWithPerson = 'nothing' | 'sessions' | 'everything'

export interface PersonUpdate {
  readonly audit: readonly AuditRecord[]
  readonly ends: EndedWithPerson
}

/** `taken`: somebody else has the e-mail address, or is that one at the provider. */
export type PersonOutcome = 'done' | 'taken' | 'no such zone'

/**
 * People and their roles. Each change is recorded with its audit record in one transaction, and answered once
 * durable. A zone that is removed takes itself out of every grant; that is part of the publication that
 * removes it.
 */
export interface PeopleStore {
  /** Grows with every change of what anybody may do; noting that somebody was seen is none. */
  version(): Promise<number>
  /** Those who were removed among them; by time of creation, then by id. */
  list(): Promise<readonly PersonRecord[]>
  add(person: PersonRecord, audit: AuditRecord): Promise<PersonOutcome>
  /** Replaces all that is known of the person, but when the person was seen. */
  update(person: PersonRecord, update: PersonUpdate): Promise<PersonOutcome>
  /** Keeps the later of the times known. */
  noteSeen(lastSeenAtById: ReadonlyMap<string, Date>): Promise<void>
}
