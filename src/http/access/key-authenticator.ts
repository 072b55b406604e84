import { type Secret, secretCheck } from '../../lib/secrets/secret.ts'
import type { Authenticator, Credential } from './authorize.ts'
import { keyCarriers } from './authorize.ts'
import type { KeyName } from '../operation.ts'

export interface OperatorKeys extends Readonly<Record<KeyName, Secret>> {
  /** Whether the account key is accepted wherever any of the others is. */
  readonly accountKeyIsAdmin: boolean
  /** Former keys that are still good. */
  readonly previous?: Readonly<Partial<Record<KeyName, Secret | undefined>>>
}

const keyNames = ['access', 'account', 'purge', 'analytics'] as const

/** Where the account key stands for all keys, it is taken wherever one of them is sent. */
const allHeaders = [...new Set(keyNames.map((name) => keyCarriers[name].header))]

/** Recognises the operator's keys. */
export function keyAuthenticator(keys: OperatorKeys): Authenticator {
  const known = keyNames.map((name) => ({
    headers: name === 'account' && keys.accountKeyIsAdmin ? allHeaders : [keyCarriers[name].header],
    isGenuine: secretCheck([keys[name], keys.previous?.[name]].flatMap((key) => key ?? [])),
    credential: {
      kind: 'key',
      id: `${name}-key`,
      keys: new Set(name === 'account' && keys.accountKeyIsAdmin ? keyNames : [name]),
    } satisfies Credential,
  }))
  return ({ headers }) => {
    const found: Credential[] = []
    for (const { headers: names, isGenuine, credential } of known) {
      const given = names.flatMap((name) => headers.get(name) ?? [])
      if (given.some(isGenuine)) found.push(credential)
    }
    return found
  }
}
