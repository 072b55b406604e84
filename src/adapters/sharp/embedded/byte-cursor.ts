/** Goes through bytes, number after number. Past their end everything is 0. */
export class ByteCursor {
  at: number
  readonly #bytes: Uint8Array

  constructor(bytes: Uint8Array, at = 0) {
    this.#bytes = bytes
    this.at = at
  }

  get isAtEnd(): boolean {
    return this.at >= this.#bytes.length
  }

  /** So many bytes, the most significant first. */
  number(size: number): number {
    let value = 0
    for (let count = 0; count < size; count += 1)
      value = value * 256 + (this.#bytes[this.at + count] ?? 0)
    this.at += size
    return value
  }

  /** `undefined` where there are not as many. */
  take(length: number): Uint8Array | undefined {
    const end = this.at + length
    if (end > this.#bytes.length) return undefined
    const taken = this.#bytes.subarray(this.at, end)
    this.at = end
    return taken
  }
}
