import { createHmac, hkdfSync } from 'node:crypto'

import { Secret, secretCheck } from '../../lib/secrets/secret.ts'

/** What a secret is used for; each use has a key of its own (HKDF, RFC 5869), so that none endangers another. */
type Label =
  | 'session cookie'
  | 'password mark'
  | 'cluster node'
  | 'passkey challenge'
  | 'upload grant'
  | 'grantor mark'
  | 'stored object'
  | 's3 key'
  | 'provider sign-in'

export const deriveKey = (secret: Secret, label: Label): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', secret.reveal(), '', `sedge ${label}`, 32))

export const hmacSha256 = (key: Uint8Array, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest()

/** What a node of a cluster shows to the others. Whoever has the account key can make it. */
export const nodeTokenOf = (accountKey: Secret): Secret =>
  new Secret(`cdnsk_${Buffer.from(deriveKey(accountKey, 'cluster node')).toString('base64url')}`)

/** Whether a text is the token of one of these keys. */
export const nodeTokenCheck = (accountKeys: readonly Secret[]): ((text: string) => boolean) =>
  secretCheck(accountKeys.map((key) => nodeTokenOf(key)))
