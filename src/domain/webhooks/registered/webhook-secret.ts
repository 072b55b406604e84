import { randomBytes } from 'node:crypto'

import { invalid } from '../../errors.ts'

const minLength = 32
const maxLength = 256
const keyBytes = 32

/** In the form of Standard Webhooks, whose libraries take it as it is. */
export const createWebhookSecret = (random: (size: number) => Uint8Array = randomBytes): string =>
  `whsec_${Buffer.from(random(keyBytes)).toString('base64')}`

/** The secret a caller brings. Printable, so that it survives being copied. */
export function parseWebhookSecret(text: string): string {
  if (text.length < minLength || text.length > maxLength || !/^[\u0021-\u007e]+$/u.test(text))
    throw invalid('secret', `must be ${minLength} to ${maxLength} printable ASCII characters`)
  if (!text.startsWith('whsec_')) return text
  const base64 = text.slice('whsec_'.length)
  const key = Buffer.from(base64, 'base64')
  if (key.toString('base64') !== base64 || key.length < 24 || key.length > 64)
    throw invalid('secret', 'must be base64 of 24 to 64 bytes after whsec_')
  return text
}

export const lastFourOf = (secret: string): string => secret.slice(-4)
