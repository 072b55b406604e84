import { Secret, secretCheck } from '../../../lib/secrets/secret.ts'
import { deriveKey } from '../derived-key.ts'

/** What a node of a cluster shows to the others. Whoever has the account key can make it. */
export const nodeTokenOf = (accountKey: Secret): Secret =>
  new Secret(`cdnsk_${Buffer.from(deriveKey(accountKey, 'cluster node')).toString('base64url')}`)

/** Whether a text is the token of one of these keys. */
export const nodeTokenCheck = (accountKeys: readonly Secret[]): ((text: string) => boolean) =>
  secretCheck(accountKeys.map((key) => nodeTokenOf(key)))
