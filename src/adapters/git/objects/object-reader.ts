import { BatchChild, type GitObject } from './batch-child.ts'
import { streamGit } from './git-command.ts'

type Mode = '--batch' | '--batch-check'

/** Reads the objects of a repository through git itself, so that packs of any make are understood. */
export class ObjectReader {
  readonly #directory: string
  readonly #childByMode = new Map<Mode, BatchChild>()

  constructor(directory: string) {
    this.#directory = directory
  }

  /** Kind, size and bytes, or `undefined` where there is no such object. */
  read(id: string): Promise<GitObject | undefined> {
    return this.#ask('--batch', id)
  }

  async sizeOf(id: string): Promise<number | undefined> {
    return (await this.#ask('--batch-check', id))?.sizeBytes
  }

  /** The bytes of a blob that need not fit into memory. */
  stream(id: string): ReadableStream<Uint8Array> {
    return streamOf(streamGit(this.#directory, ['cat-file', 'blob', id]))
  }

  /** Looks at the repository as it is now: what was taken out of it is let go of. */
  async restart(): Promise<void> {
    const children = [...this.#childByMode.values()]
    this.#childByMode.clear()
    await Promise.all(children.map((child) => child[Symbol.asyncDispose]()))
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#childByMode.values()].map((child) => child[Symbol.asyncDispose]()))
  }

  /** A child that was killed from outside is replaced once. */
  async #ask(mode: Mode, id: string): Promise<GitObject | undefined> {
    try {
      return await this.#child(mode).ask(id)
    } catch {
      return this.#child(mode).ask(id)
    }
  }

  #child(mode: Mode): BatchChild {
    const known = this.#childByMode.get(mode)
    if (known?.isAlive) return known
    const child = new BatchChild(this.#directory, mode)
    this.#childByMode.set(mode, child)
    return child
  }
}

const streamOf = (chunks: AsyncGenerator<Uint8Array, void>): ReadableStream<Uint8Array> =>
  new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
    async cancel() {
      await chunks.return()
    },
  })
