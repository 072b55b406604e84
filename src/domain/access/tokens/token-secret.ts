import { createHash, randomBytes } from 'node:crypto'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const mark = 'cdnsk_'
const randomLength = 34
const checksumLength = 6
const shape = new RegExp(`^${mark}[0-9A-Za-z]{${randomLength + checksumLength}}$`, 'u')
/** Enough to tell one's own tokens apart; what follows has over 170 random bits. */
const prefixLength = mark.length + 4

/**
 * A new secret: the mark that scanners look for, 34 random characters of base 62 (202 bits), and six
 * that check those.
 */
export function createTokenSecret(random: (size: number) => Uint8Array = randomBytes): string {
  let text = ''
  while (text.length < randomLength)
    for (const byte of random(randomLength))
      // Bytes beyond the last whole multiple would make some characters likelier than others.
      if (byte < 248 && text.length < randomLength) text += alphabet.charAt(byte % 62)
  return `${mark}${text}${checksumOf(text)}`
}

/** Whether the text could be a secret: finds out typos and cut-off copies without looking anything up. */
export function isTokenSecret(text: string): boolean {
  if (!shape.test(text)) return false
  const random = text.slice(mark.length, -checksumLength)
  return checksumOf(random) === text.slice(-checksumLength)
}

export const tokenPrefix = (secret: string): string => secret.slice(0, prefixLength)

/** Lower-case hex SHA-256. A secret of 202 random bits needs no slower hash. */
export const hashTokenSecret = (secret: string): string =>
  createHash('sha256').update(secret).digest('hex')

/** CRC-32 in base 62: any changed character, and any two neighbours swapped, give another. */
function checksumOf(text: string): string {
  let rest = Bun.hash.crc32(text)
  let digits = ''
  for (let place = 0; place < checksumLength; place += 1) {
    digits = alphabet.charAt(rest % 62) + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}
