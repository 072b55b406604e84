import { createHash, timingSafeEqual } from 'node:crypto'
import { Mutex } from '../../lib/async/mutex.ts'
import {
  disabledPassword,
  isPasswordHash,
  matchesPasswordHash,
  normalizePassword,
} from '../../lib/secrets/password-hash.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import { deriveKey, hmacSha256 } from './derived-key.ts'

/** The operator's password. */
export interface Password {
  readonly isEnabled: boolean
  verify(given: string): Promise<boolean>
  /** Names this password without giving anything of it away. */
  readonly mark: string
  /** Whether the mark is this password's, under the session secret of now or the one before. */
  hasMark(mark: string): boolean
}

/**
 * `configured` is the password itself, its Argon2id hash, or {@link disabledPassword}. `sessionSecrets`
 * are those that are good, the newest first.
 */
export function createPassword(configured: Secret, sessionSecrets: readonly Secret[]): Password {
  const text = configured.reveal()
  const isEnabled = text !== disabledPassword
  const marks = sessionSecrets.map((secret) =>
    hmacSha256(deriveKey(secret, 'password mark'), text).toString('base64url').slice(0, 22),
  )
  return {
    isEnabled,
    mark: marks[0] ?? '',
    hasMark: (mark) => isEnabled && marks.includes(mark),
    verify: isPasswordHash(text)
      ? verifierOf(text)
      : async (given) => isEnabled && isSame(given, text),
  }
}

/** One at a time: each takes 19 MiB and a core, and callers decide how many there are. */
function verifierOf(hash: string): Password['verify'] {
  const turns = new Mutex()
  return async (given) => {
    using _turn = await turns.acquire()
    return await matchesPasswordHash(given, hash)
  }
}

const isSame = (given: string, expected: string): boolean =>
  timingSafeEqual(sha256(normalizePassword(given)), sha256(normalizePassword(expected)))

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest()
