import { randomBytes, timingSafeEqual } from 'node:crypto'

import type { Secret } from '../../../lib/secrets/secret.ts'
import { deriveKey, hmacSha256 } from '../derived-key.ts'
import { challengeLifeSeconds, type PasskeySite } from './passkey-options.ts'

/**
 * Challenges that whoever wants to sign in asks for. Nothing is kept of them, so that nobody can push
 * another's out: each says itself until when it is good, and carries the mark of who made it.
 */
export interface StatelessChallenges {
  make(site: PasskeySite): string
  /** Until when it is good, where it was made here for that site. */
  read(challenge: string, site: PasskeySite): Date | undefined
}

const [timeBytes, randomLength, markBytes] = [4, 12, 16]

interface Dependencies {
  /** The newest first; with each what the former ones made is good. */
  readonly secrets: readonly Secret[]
  readonly now: () => Date
}

export function createStatelessChallenges({ secrets, now }: Dependencies): StatelessChallenges {
  const keys = secrets.map((secret) => deriveKey(secret, 'passkey challenge'))
  return {
    make(site) {
      const body = Buffer.alloc(timeBytes)
      body.writeUInt32BE(Math.floor(now().getTime() / 1000) + challengeLifeSeconds)
      const text = Buffer.concat([body, randomBytes(randomLength)])
      const [key = new Uint8Array()] = keys
      return Buffer.concat([text, markOf(text, site, key)]).toString('base64url')
    },
    read(challenge, site) {
      const bytes = Buffer.from(challenge, 'base64url')
      // One spelling each, so that none is used twice under two names.
      if (bytes.length !== timeBytes + randomLength + markBytes) return undefined
      if (bytes.toString('base64url') !== challenge) return undefined
      const [text, mark] = [bytes.subarray(0, -markBytes), bytes.subarray(-markBytes)]
      if (!keys.some((key) => timingSafeEqual(markOf(text, site, key), mark))) return undefined
      const expiresAt = new Date(text.readUInt32BE() * 1000)
      return expiresAt > now() ? expiresAt : undefined
    },
  }
}

const markOf = (text: Buffer, { origin, rpId }: PasskeySite, key: Uint8Array): Buffer =>
  hmacSha256(key, `${text.toString('hex')} ${rpId} ${origin}`).subarray(0, markBytes)
