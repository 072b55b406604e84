/** Uploads that nobody goes on with are hashed anew if somebody does; each takes about as much as a name. */
const maxKept = 4096

interface Hash {
  readonly hasher: Bun.CryptoHasher
  readonly hashedBytes: number
}

interface Begun {
  readonly offset: number
  readonly isLaterPart?: boolean
}

/**
 * How far the bytes of uploads are hashed. What is not known, since the process has restarted, is made again
 * from what lies there, once, when it is needed.
 */
export class RunningHashes {
  readonly #hashById = new Map<string, Hash>()

  /** A hasher that has seen so many bytes, or `undefined`. It is the caller's. */
  take(id: string, hashedBytes: number): Bun.CryptoHasher | undefined {
    const hash = this.#hashById.get(id)
    if (hashedBytes === 0) return new Bun.CryptoHasher('sha256')
    return hash?.hashedBytes === hashedBytes ? hash.hasher.copy() : undefined
  }

  /** The same for what begins there; none where nobody will ask for a hash of it alone. */
  takeFor(id: string, { offset, isLaterPart = false }: Begun): Bun.CryptoHasher | undefined {
    return isLaterPart ? undefined : this.take(id, offset)
  }

  put(id: string, hash: Hash): void {
    this.#hashById.delete(id)
    this.#hashById.set(id, hash)
    const [oldest] = this.#hashById.keys()
    if (this.#hashById.size > maxKept && oldest !== undefined) this.#hashById.delete(oldest)
  }

  forget(id: string): void {
    this.#hashById.delete(id)
  }

  /** Of the first `length` bytes; `rest` hands on those from a place on that are not hashed yet, if any. */
  async sha256(
    id: string,
    length: number,
    rest: (from: number) => AsyncIterable<Uint8Array>,
  ): Promise<string> {
    return (await this.make(id, length, rest)).digest('hex')
  }

  /** The hasher of {@link sha256}, which is the caller's. */
  async make(
    id: string,
    length: number,
    rest: (from: number) => AsyncIterable<Uint8Array>,
  ): Promise<Bun.CryptoHasher> {
    const known = this.#hashById.get(id)
    const isOfUse = known !== undefined && known.hashedBytes <= length
    const hasher = isOfUse ? known.hasher : new Bun.CryptoHasher('sha256')
    let hashedBytes = isOfUse ? known.hashedBytes : 0
    if (hashedBytes < length) {
      this.forget(id)
      for await (const piece of rest(hashedBytes)) {
        hasher.update(piece)
        hashedBytes += piece.length
      }
      if (hashedBytes !== length)
        throw new Error('The bytes of an upload are not as many as they were')
    }
    this.put(id, { hasher, hashedBytes: length })
    return hasher.copy()
  }
}
