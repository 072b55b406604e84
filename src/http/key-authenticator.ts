import { createHash, timingSafeEqual } from 'node:crypto'
import type { Secret } from '../lib/secret.ts'
import type { Authenticator, Credential } from './authorize.ts'
import { keyCarriers } from './authorize.ts'
import type { KeyName } from './operation.ts'

export interface OperatorKeys extends Readonly<Record<KeyName, Secret>> {
  /** Whether the account key is accepted wherever any of the others is. */
  readonly accountKeyIsAdmin: boolean
  /** Former keys that are still good. */
  readonly previous?: Readonly<Partial<Record<KeyName, Secret | undefined>>>
}

const keyNames = ['access', 'account', 'purge', 'analytics'] as const

/**
 * Recognises the operator's keys. Digests are compared, not keys, so that neither the length of a
 * guess nor how much of it is right can be told from the time it takes.
 */
export function keyAuthenticator(keys: OperatorKeys): Authenticator {
  const known = keyNames.map((name) => ({
    header: keyCarriers[name].header,
    digests: [keys[name], keys.previous?.[name]].flatMap((key) =>
      key ? sha256(key.reveal()) : [],
    ),
    credential: {
      kind: 'key',
      id: `${name}-key`,
      keys: new Set(name === 'account' && keys.accountKeyIsAdmin ? keyNames : [name]),
    } satisfies Credential,
  }))
  return ({ headers }) => {
    const found: Credential[] = []
    for (const { header, digests, credential } of known) {
      const given = headers.get(header)
      if (given !== null && isAmong(digests, sha256(given))) found.push(credential)
    }
    return found
  }
}

const isAmong = (digests: readonly Uint8Array[], given: Uint8Array): boolean =>
  digests.some((digest) => timingSafeEqual(digest, given))

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest()
