import { createHash, timingSafeEqual } from 'node:crypto'

import { Secret } from '../../lib/secret.ts'
import { deriveKey } from './derived-key.ts'

/** What a node of a cluster shows to the others. Whoever has the account key can make it. */
export const nodeTokenOf = (accountKey: Secret): Secret =>
  new Secret(`cdnsk_${Buffer.from(deriveKey(accountKey, 'cluster node')).toString('base64url')}`)

/** Whether a text is the token of one of these keys. Digests are compared, so the time tells nothing. */
export function nodeTokenCheck(accountKeys: readonly Secret[]): (text: string) => boolean {
  const digests = accountKeys.map((key) => sha256(nodeTokenOf(key).reveal()))
  return (text) => digests.some((digest) => timingSafeEqual(digest, sha256(text)))
}

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest()
