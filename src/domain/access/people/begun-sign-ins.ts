import { timingSafeEqual } from 'node:crypto'

import type { SignInChecks } from '../../../ports/access/identity-provider.ts'
import type { Secret } from '../../../lib/secrets/secret.ts'
import { deriveKey, hmacSha256 } from '../derived-key.ts'

/** What a browser holds of a sign-in that it began at the identity provider. */
export interface BegunAtProvider extends SignInChecks {
  /** The page to show afterwards. */
  readonly returnTo: string
}

/** How long a sign-in may take. */
export const signInLifeSeconds = 600
/** So many that were used are remembered until they would have ended by themselves. */
const maxSpent = 10_000

/** Sign-ins that browsers began: each is held by its browser, marked by who made it, and good once. */
export interface BegunSignIns {
  seal(begun: BegunAtProvider): string
  /** What was sealed here; from then on it is good no more. */
  spend(sealed: string): BegunAtProvider | undefined
}

interface Dependencies {
  /** The newest first. */
  readonly secrets: readonly Secret[]
  readonly now: () => Date
}

interface Sealed extends BegunAtProvider {
  readonly expiresAtMs: number
}

export function createBegunSignIns({ secrets, now }: Dependencies): BegunSignIns {
  const keys = secrets.map((secret) => deriveKey(secret, 'provider sign-in'))
  const [newestKey = new Uint8Array()] = keys
  const expiryByState = new Map<string, number>()

  /** Whether nobody used it before. */
  function isFirst(state: string, expiresAtMs: number): boolean {
    const nowMs = now().getTime()
    for (const [each, expiry] of expiryByState) {
      if (expiry > nowMs && expiryByState.size < maxSpent) break
      expiryByState.delete(each)
    }
    if (expiryByState.has(state)) return false
    expiryByState.set(state, expiresAtMs)
    return true
  }

  return {
    seal(begun) {
      const expiresAtMs = now().getTime() + signInLifeSeconds * 1000
      const text = Buffer.from(JSON.stringify({ ...begun, expiresAtMs })).toString('base64url')
      return `${text}.${hmacSha256(newestKey, text).toString('base64url')}`
    },
    spend(sealed) {
      const parts = /^(?<text>[\w-]{1,4000})\.(?<mac>[\w-]{43})$/u.exec(sealed)?.groups
      if (parts === undefined) return undefined
      const { text = '', mac = '' } = parts
      const given = Buffer.from(mac, 'base64url')
      if (!keys.some((key) => timingSafeEqual(hmacSha256(key, text), given))) return undefined
      // Whatever has our mark is what we sealed.
      const { expiresAtMs, ...begun } = JSON.parse(
        Buffer.from(text, 'base64url').toString(),
      ) as Sealed
      if (expiresAtMs <= now().getTime() || !isFirst(begun.state, expiresAtMs)) return undefined
      return begun
    },
  }
}
