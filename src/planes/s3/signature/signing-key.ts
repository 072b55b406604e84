import { createHmac, timingSafeEqual } from 'node:crypto'

import type { Secret } from '../../../lib/secrets/secret.ts'
import { type CredentialScope, scopeText } from './signature-claim.ts'

/** What signs all of a day. */
export const signingKey = (secret: Secret, scope: CredentialScope): Buffer =>
  scopeText(scope)
    .split('/')
    .reduce<Buffer>((key, part) => hmac(key, part), Buffer.from(`AWS4${secret.reveal()}`))

/** Lower-case hex. */
export const signatureOf = (key: Buffer, text: string): string => hmac(key, text).toString('hex')

/** Both in hex. Takes as long however much of it is right. */
export function isSameSignature(one: string, other: string): boolean {
  const [bytes, otherBytes] = [Buffer.from(one), Buffer.from(other)]
  return bytes.length === otherBytes.length && timingSafeEqual(bytes, otherBytes)
}

const hmac = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest()
