import { createHash, timingSafeEqual } from 'node:crypto'

const redacted = '[secret]'

/**
 * A text that must not be printed. Only {@link reveal} gives it out: string conversion, JSON and
 * inspection show a placeholder.
 */
export class Secret {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  reveal(): string {
    return this.#text
  }

  toString(): string {
    return redacted
  }

  toJSON(): string {
    return redacted
  }

  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return redacted
  }
}

/**
 * Whether a text is one of the secrets. Digests are compared, so that neither the length of a guess nor how
 * much of it is right can be told from the time it takes.
 */
export function secretCheck(secrets: readonly Secret[]): (text: string) => boolean {
  const digests = secrets.map((secret) => sha256(secret.reveal()))
  return (text) => {
    const given = sha256(text)
    return digests.some((digest) => timingSafeEqual(digest, given))
  }
}

const sha256 = (text: string): Uint8Array => createHash('sha256').update(text).digest()
