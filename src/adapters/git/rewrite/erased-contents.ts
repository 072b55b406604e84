import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

import { writeFileDurably } from '../../../lib/files/durable-files.ts'
import { ifPresent } from '../../../lib/files/file-faults.ts'

const fileName = 'sedge-erased-contents'

/** What git called the contents that were taken out of the repository: nobody brings them back. */
export class ErasedContents {
  readonly #path: string
  readonly #ids: Set<string>

  private constructor(path: string, ids: Set<string>) {
    this.#path = path
    this.#ids = ids
  }

  static async open(repository: string): Promise<ErasedContents> {
    const path = join(repository, fileName)
    const text = (await ifPresent(readFile(path, 'latin1'))) ?? ''
    return new ErasedContents(path, new Set(text.split('\n').filter(Boolean)))
  }

  ids(): Iterable<string> {
    return this.#ids
  }

  /** Answers once that would survive a power cut. */
  async add(ids: Iterable<string>): Promise<void> {
    const before = this.#ids.size
    for (const id of ids) this.#ids.add(id)
    if (this.#ids.size > before)
      await writeFileDurably(this.#path, `${[...this.#ids].toSorted().join('\n')}\n`)
  }
}
