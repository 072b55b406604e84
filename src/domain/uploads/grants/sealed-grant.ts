import { timingSafeEqual } from 'node:crypto'

import type { Secret } from '../../../lib/secrets/secret.ts'
import { deriveKey, hmacSha256 } from '../../access/derived-key.ts'

/** What a grant says of itself, so that a node without its record can turn away what is forged or over. */
export interface GrantClaims {
  readonly id: string
  /** A file, or a directory with a slash at its end. */
  readonly path: string
  readonly expiresAt: Date
  /** Of pages that alone may use it; all where `undefined`. */
  readonly origins: readonly string[] | undefined
}

/** Longer than any that is given out: paths and origins are bounded. */
const maxGrantLength = 7000
const shape = /^(?<text>g1\.(?<claims>[\w-]+))\.(?<mac>[\w-]{43})$/u

/** `g1.<claims as JSON, base64url>.<HMAC-SHA256 of what precedes, base64url>`. */
export function sealGrant({ id, path, expiresAt, origins }: GrantClaims, key: Uint8Array): string {
  const claims = { id, path, until: expiresAt.getTime(), ...(origins && { origins }) }
  const text = `g1.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`
  return `${text}.${macOf(text, key)}`
}

/** The claims, where one of `keys` has signed them. Whether they are still good is not looked at. */
export function openGrant(grant: string, keys: readonly Uint8Array[]): GrantClaims | undefined {
  const parts = grant.length > maxGrantLength ? undefined : shape.exec(grant)?.groups
  if (parts === undefined) return undefined
  const { text = '', claims = '', mac = '' } = parts
  // The text of the MAC and not its bytes, of which one has several spellings.
  const given = Buffer.from(mac)
  if (!keys.some((key) => timingSafeEqual(Buffer.from(macOf(text, key)), given))) return undefined
  return claimsOf(Buffer.from(claims, 'base64url').toString())
}

/** What grants are signed with, in the order of the secrets: each node that signs URLs has them. */
export const grantKeys = (secrets: readonly Secret[]): readonly Uint8Array[] =>
  secrets.map((secret) => deriveKey(secret, 'upload grant'))

const macOf = (text: string, key: Uint8Array): string => hmacSha256(key, text).toString('base64url')

/** Of what we have written ourselves. */
function claimsOf(json: string): GrantClaims {
  const { id, path, until, origins } = JSON.parse(json) as SealedClaims
  return { id, path, expiresAt: new Date(until), origins }
}

interface SealedClaims extends Pick<GrantClaims, 'id' | 'path' | 'origins'> {
  readonly until: number
}
