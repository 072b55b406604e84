import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto'

import type { Secret } from './secret.ts'

/** Encrypts short texts for storage. */
export interface TextSealer {
  /** `place` says where the text is kept; sealed text copied elsewhere does not open there. */
  seal(text: string, place: string): string
  /** `undefined` where it was sealed with a key that is not known, for another place, or was changed. */
  open(sealed: string, place: string): OpenedText | undefined
}

export interface OpenedText {
  readonly text: string
  /** Whether it was sealed with the newest key. */
  readonly isCurrent: boolean
}

const version = 'v1'
const cipher = 'aes-256-gcm'
const ivBytes = 12
const tagBytes = 16

/**
 * AES-256-GCM under a key derived from each secret (HKDF-SHA256, `label` as its info), so that one
 * secret used for two purposes gives two unrelated keys. The first seals, all open. Sealed text is
 * `v1.` and base64url of the initialisation vector, the ciphertext and the tag.
 */
export function createTextSealer(
  secrets: readonly [Secret, ...Secret[]],
  label: string,
): TextSealer {
  const keyOf = (secret: Secret) =>
    new Uint8Array(hkdfSync('sha256', secret.reveal(), '', label, 32))
  const current = keyOf(secrets[0])
  const keys = [current, ...secrets.slice(1).map(keyOf)]
  return {
    seal(text, place) {
      const iv = randomBytes(ivBytes)
      const sealing = createCipheriv(cipher, current, iv).setAAD(Buffer.from(place))
      const sealed = Buffer.concat([iv, sealing.update(text, 'utf8'), sealing.final()])
      return `${version}.${Buffer.concat([sealed, sealing.getAuthTag()]).toString('base64url')}`
    },
    open(sealed, place) {
      if (!sealed.startsWith(`${version}.`)) return undefined
      const bytes = Buffer.from(sealed.slice(version.length + 1), 'base64url')
      if (bytes.length < ivBytes + tagBytes) return undefined
      for (const key of keys) {
        const text = openWith(key, bytes, place)
        if (text !== undefined) return { text, isCurrent: key === current }
      }
      return undefined
    },
  }
}

function openWith(key: Uint8Array, bytes: Buffer, place: string): string | undefined {
  const iv = bytes.subarray(0, ivBytes)
  const opening = createDecipheriv(cipher, key, iv, { authTagLength: tagBytes })
  opening.setAAD(Buffer.from(place)).setAuthTag(bytes.subarray(-tagBytes))
  const text = opening.update(bytes.subarray(ivBytes, -tagBytes))
  try {
    return Buffer.concat([text, opening.final()]).toString('utf8')
  } catch {
    return undefined
  }
}
