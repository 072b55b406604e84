import { createHmac, timingSafeEqual } from 'node:crypto'

import type { S3Keys } from '../../../domain/access/tokens/s3-keys.ts'
import { rememberRecent } from '../../../lib/collections/lru-cache.ts'
import type { Secret } from '../../../lib/secrets/secret.ts'
import { type CredentialScope, scopeText } from './signature-claim.ts'

/** What signs all of a day. */
export const signingKey = (secret: Secret, scope: CredentialScope): Buffer =>
  scopeText(scope)
    .split('/')
    .reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret.reveal()}`))

/** Under every good secret of an access key that there is, the newest first. */
export type SigningKeys = (accessKeyId: string, scope: CredentialScope) => readonly Buffer[]

const maxKept = 1000

/** A client signs everything of a day with one key, which is made once. */
export function createSigningKeys({ secretsOf }: Pick<S3Keys, 'secretsOf'>): SigningKeys {
  const remembered = rememberRecent((credential: string): readonly Buffer[] => {
    const [accessKeyId = '', date = '', region = ''] = credential.split('\n')
    return secretsOf(accessKeyId).map((secret) => signingKey(secret, { date, region }))
  }, maxKept)
  return (accessKeyId, { date, region }) => remembered([accessKeyId, date, region].join('\n'))
}

/** Lower-case hex. */
export const signatureOf = (key: Buffer, text: string): string => hmac(key, text).toString('hex')

/** Both in hex. Takes as long however much of it is right. */
export function isSameSignature(one: string, other: string): boolean {
  const [bytes, otherBytes] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
