import type { PersonState } from '../../../ports/access/people-store.ts'

export interface PersonTable {
  readonly id: string
  readonly email: string | null
  readonly name: string
  readonly state: PersonState
  readonly issuer: string | null
  readonly subject: string | null
  readonly invitation_sha256: string | null
  readonly invitation_expires_at: number | null
  readonly created_by: string
  readonly created_at: number
  readonly last_seen_at: number | null
}

export interface PersonGrantTable {
  readonly person_id: string
  readonly role: string
  /** Empty for every zone. */
  readonly zone: string
  readonly source: 'here' | 'provider'
}

/** One row; grows with every change of what anybody may do. */
export interface PeopleVersionTable {
  readonly id: number
  readonly version: number
}
