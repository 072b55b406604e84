import {
  maxChallenges,
  type PasskeyChallenge,
  type PasskeyRecord,
  type PasskeyRemoval,
  type PasskeyStore,
} from '../../../ports/access/passkey-store.ts'
import type { AuditRecord } from '../../../ports/records/audit.ts'
import { byBytes, type MemoryDatabase } from '../content/memory-database.ts'

/** A PasskeyStore for tests and demos. */
export class MemoryPasskeyStore implements PasskeyStore {
  readonly #database: MemoryDatabase

  constructor(database: MemoryDatabase) {
    this.#database = database
  }

  async list(): Promise<readonly PasskeyRecord[]> {
    return [...this.#database.passkeyById.values()].toSorted(
      (a, b) => a.createdAt.getTime() - b.createdAt.getTime() || byBytes(a.id, b.id),
    )
  }

  async find(id: string): Promise<PasskeyRecord | undefined> {
    return this.#database.passkeyById.get(id)
  }

  async add(passkey: PasskeyRecord, audit: AuditRecord): Promise<boolean> {
    const { passkeyById } = this.#database
    if (passkeyById.has(passkey.id)) return false
    passkeyById.set(passkey.id, structuredClone(passkey))
    this.#database.announce([], [audit])
    return true
  }

  async noteUse(id: string, counter: number, usedAt: Date): Promise<boolean> {
    const { passkeyById } = this.#database
    const known = passkeyById.get(id)
    const hasGrown = known && (counter === 0 ? known.counter === 0 : known.counter < counter)
    if (!hasGrown) return false
    passkeyById.set(id, { ...known, counter, lastUsedAt: usedAt })
    return true
  }

  async remove(
    id: string,
    audit: AuditRecord,
    { keepOne }: { keepOne: boolean },
  ): Promise<PasskeyRemoval> {
    const { passkeyById, sessionById } = this.#database
    const passkey = passkeyById.get(id)
    if (passkey === undefined) return 'absent'
    const operators = [...passkeyById.values()].filter(({ personId }) => personId === undefined)
    if (keepOne && passkey.personId === undefined && operators.length === 1) return 'last'
    passkeyById.delete(id)
    for (const session of sessionById.values())
      if (session.openedWith === `passkey:${id}`) sessionById.delete(session.id)
    this.#database.announce([], [audit])
    return 'removed'
  }

  async addChallenge(challenge: PasskeyChallenge, now: Date): Promise<void> {
    const { challengeByText } = this.#database
    for (const [text, { expiresAt }] of challengeByText)
      if (expiresAt <= now) challengeByText.delete(text)
    challengeByText.set(challenge.challenge, structuredClone(challenge))
    if (challengeByText.size <= maxChallenges) return
    const [first] = [...challengeByText.values()].toSorted(
      (a, b) => a.expiresAt.getTime() - b.expiresAt.getTime(),
    )
    if (first !== undefined) challengeByText.delete(first.challenge)
  }

  async spendChallenge(challenge: PasskeyChallenge, now: Date): Promise<boolean> {
    const { challengeByText } = this.#database
    for (const [text, { expiresAt }] of challengeByText)
      if (expiresAt <= now) challengeByText.delete(text)
    if (challengeByText.has(challenge.challenge)) return false
    challengeByText.set(challenge.challenge, structuredClone(challenge))
    return true
  }

  async takeChallenge(challenge: string): Promise<PasskeyChallenge | undefined> {
    const { challengeByText } = this.#database
    const taken = challengeByText.get(challenge)
    challengeByText.delete(challenge)
    return taken
  }
}
