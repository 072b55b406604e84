const modulus = 65_521

/** The Adler-32 checksum (RFC 1950 §8.2) of bytes that come in parts. */
export class Adler32 {
  #low = 1
  #high = 0

  /** The sums of a part begin anew; its own low sum is joined to ours as if it had gone on from it. */
  update(part: Uint8Array): void {
    const own = Bun.hash.adler32(part)
    const ownLow = own & 0xffff
    const ownHigh = own >>> 16
    this.#high =
      (this.#high + ownHigh + (part.length % modulus) * (this.#low - 1 + modulus)) % modulus
    this.#low = (this.#low + ownLow - 1 + modulus) % modulus
  }

  get value(): number {
    return this.#high * 0x1_0000 + this.#low
  }
}

/** The first 32 hex digits of the SHA-256: enough to name bytes that nobody can choose freely. */
export const contentDigest = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)
