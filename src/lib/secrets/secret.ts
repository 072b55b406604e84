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
