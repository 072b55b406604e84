import { createHash, randomBytes } from 'node:crypto'

/** Random texts, each good once and for a while. Only their hashes are kept, and only in memory. */
export interface OneTimeSecrets {
  issue(): string
  /** Whether it is one that is good; from then on it is not. */
  spend(given: string): boolean
}

interface Options {
  readonly lifeMs: number
  readonly now: () => Date
}

export function createOneTimeSecrets({ lifeMs, now }: Options): OneTimeSecrets {
  const expiresAtByHash = new Map<string, number>()
  return {
    issue() {
      const secret = randomBytes(32).toString('base64url')
      expiresAtByHash.set(sha256(secret), now().getTime() + lifeMs)
      return secret
    },
    spend(given) {
      const hash = sha256(given)
      const expiresAt = expiresAtByHash.get(hash) ?? 0
      expiresAtByHash.delete(hash)
      return expiresAt > now().getTime()
    },
  }
}

/** Looked up by its hash, a secret cannot be guessed from how long the looking took. */
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')
