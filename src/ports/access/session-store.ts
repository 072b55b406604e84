import type { AuditRecord } from '../records/audit.ts'

/** Somebody who is signed in. */
export interface SessionRecord {
  /** Random; no secret by itself. */
  readonly id: string
  /** What let them in: `password:` and a mark of it, `passkey:` and its id, or `oidc:`. */
  readonly openedWith: string
  /** Counts how often the cookie has been replaced. */
  readonly turn: number
  readonly turnedAt: Date
  readonly createdAt: Date
  readonly lastSeenAt: Date
  readonly expiresAt: Date
  readonly ip: string
  readonly userAgent: string | undefined
  /** Who it is; an operator where left out. */
  readonly personId?: string | undefined
}

/** What use changes about a session. */
export type SessionProgress = Pick<
  SessionRecord,
  'id' | 'turn' | 'turnedAt' | 'lastSeenAt' | 'expiresAt'
>

/** Sessions. What opens or ends one is recorded with it in one transaction and answered once durable. */
export interface SessionStore {
  add(session: SessionRecord, audit: AuditRecord): Promise<void>
  find(id: string): Promise<SessionRecord | undefined>
  /** The one seen last comes first. */
  list(): Promise<readonly SessionRecord[]>
  /** Of two writers the one with the higher turn, or the later time, has its way; nothing goes back. */
  advance(progress: SessionProgress): Promise<void>
  /** `false`, and nothing is recorded, where there is no such session. */
  remove(id: string, audit: AuditRecord): Promise<boolean>
  /** Forgets those that expired before `time`. */
  forgetExpired(time: Date): Promise<void>
}
