/** The first 32 hex digits of the SHA-256: enough to name bytes that nobody can choose freely. */
export const contentDigest = (bytes: Uint8Array): string =>
  new Bun.CryptoHasher('sha256').update(bytes).digest('hex').slice(0, 32)
