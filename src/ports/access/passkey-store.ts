import type { AuditRecord } from '../records/audit.ts'

/** A passkey an operator or a person has registered. */
export interface PasskeyRecord {
  /** The credential id, base64url. */
  readonly id: string
  readonly name: string
  /** The site it is good for. */
  readonly rpId: string
  /** COSE key, base64url. */
  readonly publicKey: string
  /** How often the authenticator says it has signed; 0 for ever where it does not count. */
  readonly counter: number
  readonly transports: readonly string[]
  /** Whether it is kept in more than one place. */
  readonly isBackedUp: boolean
  readonly createdAt: Date
  readonly lastUsedAt: Date | undefined
  /** Whose it is; the operators’ where left out. */
  readonly personId?: string | undefined
}

/** What an authenticator has been asked to sign. */
export interface PasskeyChallenge {
  /** Random, base64url. */
  readonly challenge: string
  readonly purpose: 'register' | 'authenticate'
  readonly origin: string
  readonly rpId: string
  /** The id of the credential that asked. */
  readonly askedBy: string
  readonly expiresAt: Date
}

export type PasskeyRemoval = 'removed' | 'absent' | 'last'

/** Passkeys and their challenges. Changes are recorded with their audit record in one transaction. */
export interface PasskeyStore {
  /** By time of creation, then by id. */
  list(): Promise<readonly PasskeyRecord[]>
  find(id: string): Promise<PasskeyRecord | undefined>
  /** `false`, and nothing changes, where there is a passkey with this id already. */
  add(passkey: PasskeyRecord, audit: AuditRecord): Promise<boolean>
  /**
   * Takes use down. `false`, and nothing changes, where the counter has not grown since: of two responses
   * with one counter only one counts. An authenticator that does not count stays at 0 and is let be.
   */
  noteUse(id: string, counter: number, usedAt: Date): Promise<boolean>
  /** Ends the sessions that it opened as well. Refuses the operators’ last one where `keepOne` is set. */
  remove(id: string, audit: AuditRecord, options: { keepOne: boolean }): Promise<PasskeyRemoval>
  /** Forgets expired challenges first; at most `maxChallenges` stay, those that expire first go. */
  addChallenge(challenge: PasskeyChallenge, now: Date): Promise<void>
  /** Removes it and answers it; of many that ask at once one gets it. */
  takeChallenge(challenge: string): Promise<PasskeyChallenge | undefined>
  /** Takes down, until it expires, that one which was not added is used up. `false` where it is already. */
  spendChallenge(challenge: PasskeyChallenge, now: Date): Promise<boolean>
}

/** So many people may be signing in at a time; and nobody can fill the store by asking. */
export const maxChallenges = 1000
