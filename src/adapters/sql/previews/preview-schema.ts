import type { Generated } from 'kysely'

export interface PreviewTable {
  readonly zone: string
  readonly name: string
  readonly base_commit: string
  readonly head_commit: string
  readonly created_at: number
  readonly changed_at: number
  readonly expires_at: number
  readonly own_expiry: number
  readonly signed: number
  readonly created_by: string
  /** JSON: the SHA-256 and size of each. */
  readonly packs: Generated<string>
}
