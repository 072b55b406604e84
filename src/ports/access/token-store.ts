import type { AuditRecord } from '../records/audit.ts'

/** A bearer token as it is kept: everything but the secret itself. */
export interface TokenRecord {
  readonly id: string
  readonly name: string
  /** Lower-case hex SHA-256 of the secret. */
  readonly secretSha256: string
  /** The first characters of the secret, by which its owner recognises it. */
  readonly prefix: string
  readonly scopes: readonly string[]
  /** The tenants it reaches, in byte order; every one where `undefined`, never empty. */
  readonly zones: readonly string[] | undefined
  /** The id of the credential that made it. */
  readonly createdBy: string
  readonly createdAt: Date
  readonly expiresAt: Date
  readonly lastUsedAt: Date | undefined
  /** Whether it signs requests of S3, too, with a key that is derived from its id. */
  readonly isForS3: boolean
  /** With whom it ends, and beyond whose roles it opens nothing; nobody’s where left out. */
  readonly personId?: string | undefined
  /** The secret before this one, while it is good as well. */
  readonly former?: FormerSecret | undefined
}

export interface FormerSecret {
  readonly sha256: string
  readonly until: Date
}

/**
 * Bearer tokens. Each change is recorded with its audit record in one transaction, and answered once
 * durable. A zone that is removed takes itself out of every token, and with it each token that
 * reaches no other zone; that is part of the publication that removes it.
 */
export interface TokenStore {
  /** Grows with every change of what any token opens, whoever made it; noting use is none. */
  version(): Promise<number>
  /** By time of creation, then by id. */
  list(): Promise<readonly TokenRecord[]>
  /** `false`, and nothing changes, where one of its zones does not exist. */
  add(token: TokenRecord, audit: AuditRecord): Promise<boolean>
  /** `false`, and nothing changes, where there is no such token. */
  remove(id: string, audit: AuditRecord): Promise<boolean>
  /** Gives it another secret. `false`, and nothing changes, where there is no such token. */
  rotate(
    id: string,
    secret: Pick<TokenRecord, 'secretSha256' | 'prefix' | 'former'>,
    audit: AuditRecord,
  ): Promise<boolean>
  /** Keeps the later of the times known; ids of tokens that are gone are passed over. */
  noteUse(lastUsedAtById: ReadonlyMap<string, Date>): Promise<void>
}
