import { timingSafeEqual } from 'node:crypto'

import type { Secret } from '../../lib/secrets/secret.ts'
import { deriveKey, hmacSha256 } from './derived-key.ts'

/** What a session's cookie says. */
export interface SessionTicket {
  readonly id: string
  /** How often the cookie has been replaced before. */
  readonly turn: number
}

export interface OpenedTicket extends SessionTicket {
  /** Signed with a key that is on its way out. */
  readonly isOutdated: boolean
}

/** `s1.<id>.<turn>.<HMAC-SHA256 of what precedes, base64url>`: always the same for the same ticket and key. */
export function sealTicket({ id, turn }: SessionTicket, key: Uint8Array): string {
  const text = `s1.${id}.${turn}`
  return `${text}.${hmacSha256(key, text).toString('base64url')}`
}

const shape = /^(?<text>s1\.(?<id>[\w-]{16,64})\.(?<turn>\d{1,9}))\.(?<mac>[\w-]{43})$/u

/** The ticket, where one of `keys`, the newest first, has signed it. */
export function openTicket(cookie: string, keys: readonly Uint8Array[]): OpenedTicket | undefined {
  const parts = shape.exec(cookie)?.groups
  if (parts === undefined) return undefined
  const { text = '', id = '', turn = '', mac = '' } = parts
  const given = Buffer.from(mac, 'base64url')
  const place = keys.findIndex((key) => timingSafeEqual(hmacSha256(key, text), given))
  return place === -1 ? undefined : { id, turn: Number(turn), isOutdated: place > 0 }
}

/** Whether an operator was given that cookie once: nothing says that its session still goes on. */
export function sessionTicketCheck(secrets: readonly Secret[]): (cookie: string) => boolean {
  const keys = sessionKeys(secrets)
  return (cookie) => openTicket(cookie, keys) !== undefined
}

/** What cookies are signed with, in the order of the secrets. */
export const sessionKeys = (secrets: readonly Secret[]): readonly Uint8Array[] =>
  secrets.map((secret) => deriveKey(secret, 'session cookie'))
