import { open } from 'node:fs/promises'

/** Uploads that nobody goes on with are hashed anew if somebody does; each takes about as much as a name. */
const maxKept = 4096
const pieceBytes = 256 * 1024

interface Hash {
  readonly hasher: Bun.CryptoHasher
  readonly hashedBytes: number
}

/**
 * How far the bytes of uploads are hashed. What is not known, since the process has restarted, is made again
 * from what lies there, once, when it is needed.
 */
export class StagedHashes {
  readonly #hashById = new Map<string, Hash>()

  /** A hasher that has seen so many bytes, or `undefined`. It is the caller's. */
  take(id: string, hashedBytes: number): Bun.CryptoHasher | undefined {
    const hash = this.#hashById.get(id)
    if (hashedBytes === 0) return new Bun.CryptoHasher('sha256')
    return hash?.hashedBytes === hashedBytes ? hash.hasher.copy() : undefined
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

  /** Of the first `length` bytes of a file; reads only those that are not hashed yet. */
  async sha256(id: string, path: string, length: number): Promise<string> {
    const known = this.#hashById.get(id)
    const isOfUse = known !== undefined && known.hashedBytes <= length
    const hasher = isOfUse ? known.hasher : new Bun.CryptoHasher('sha256')
    const from = isOfUse ? known.hashedBytes : 0
    if (from < length) {
      this.forget(id)
      await hashFile(hasher, path, { from, length })
    }
    this.put(id, { hasher, hashedBytes: length })
    return hasher.copy().digest('hex')
  }
}

interface Span {
  readonly from: number
  readonly length: number
}

/** With a buffer of its own: a stream of a file takes memory as fast as it reads. */
async function hashFile(hasher: Bun.CryptoHasher, path: string, { from, length }: Span) {
  await using handle = await open(path, 'r')
  const buffer = new Uint8Array(pieceBytes)
  for (let place = from; place < length;) {
    const wanted = Math.min(buffer.length, length - place)
    const { bytesRead } = await handle.read(buffer, 0, wanted, place)
    if (bytesRead === 0) throw new Error('The bytes of an upload are fewer than they were')
    hasher.update(buffer.subarray(0, bytesRead))
    place += bytesRead
  }
}
