import { mkdir, open, rename, rm } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { ifPresent } from '../../../lib/files/file-faults.ts'

/** Files of a data directory that is put together again, each whole or not there. */
export class RestoredFiles {
  readonly #directory: string

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Whether the file has these very bytes. */
  async hasFile(path: string, sha256: string): Promise<boolean> {
    const stream = Bun.file(join(this.#directory, path)).stream()
    const hasher = new Bun.CryptoHasher('sha256')
    return (
      (await ifPresent(
        (async () => {
          for await (const bytes of stream) hasher.update(bytes)
          return hasher.digest('hex') === sha256
        })(),
      )) ?? false
    )
  }

  /** Rejects, and leaves nothing, where the bytes have another SHA-256. For the owner alone. */
  async putFile(path: string, sha256: string, bytes: AsyncIterable<Uint8Array>): Promise<void> {
    const place = join(this.#directory, path)
    const temporary = `${place}.restoring`
    await mkdir(dirname(place), { recursive: true, mode: 0o700 })
    const hasher = new Bun.CryptoHasher('sha256')
    {
      await using file = await open(temporary, 'w', 0o600)
      for await (const piece of bytes) {
        hasher.update(piece)
        await file.writeFile(piece)
      }
      await file.datasync()
    }
    if (hasher.digest('hex') !== sha256) {
      await rm(temporary, { force: true })
      throw new Error(`${path} has other bytes in the backup than it had`)
    }
    await rename(temporary, place)
  }
}
