import { mkdirSync } from 'node:fs'
import { copyFile, link, rm } from 'node:fs/promises'
import { join } from 'node:path'

import { type RenderJob, RenderSourceError } from '../../../ports/media/renderer.ts'

/** Why a file system gives no second name to a file that is there. */
const notLinkable: ReadonlySet<unknown> = new Set(
  'EXDEV EPERM EMLINK ENOTSUP EOPNOTSUPP ENOSYS'.split(' '),
)

/**
 * Hands files to a child that can open no others: each lies in its own directory, under a second name,
 * while the child works on it. Images are up to 25 MB, so no byte is copied where that can be helped.
 */
export class Handover implements AsyncDisposable {
  /** Where they lie. */
  readonly inbox: string
  /** A place for the child's own files. */
  readonly scratch: string
  readonly #directory: string
  #count = 0

  constructor(directory: string) {
    this.#directory = directory
    this.inbox = join(directory, 'inbox')
    this.scratch = join(directory, 'scratch')
    for (const each of [this.inbox, this.scratch]) mkdirSync(each, { recursive: true, mode: 0o700 })
  }

  /** The job with the file that it is on handed over. Throws {@link RenderSourceError}. */
  async hand(job: RenderJob): Promise<AsyncDisposable & { readonly job: RenderJob }> {
    this.#count += 1
    const path = join(this.inbox, String(this.#count))
    await this.#give('source' in job ? job.source.path : job.path, path)
    return {
      job: 'source' in job ? { ...job, source: { ...job.source, path } } : { ...job, path },
      [Symbol.asyncDispose]: async () => await rm(path, { force: true }),
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true })
  }

  async #give(from: string, to: string): Promise<void> {
    try {
      await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
        if (!notLinkable.has(error.code)) throw error
        await copyFile(from, to)
      })
    } catch (cause) {
      throw new RenderSourceError('The image is not where it should be', { cause })
    }
  }
}
