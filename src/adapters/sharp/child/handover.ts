import { mkdirSync } from 'node:fs'
import { copyFile, link, rm, unlink } from 'node:fs/promises'
import { join } from 'node:path'

import {
  type OverlayJob,
  type RenderJob,
  RenderSourceError,
} from '../../../ports/media/renderer.ts'

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

  /** The job with the files that it is on handed over. Throws {@link RenderSourceError}. */
  async hand(job: RenderJob): Promise<AsyncDisposable & { readonly job: RenderJob }> {
    await using given = new AsyncDisposableStack()
    const handed = await this.#handed(job, given)
    const taken = given.move()
    return { job: handed, [Symbol.asyncDispose]: () => taken.disposeAsync() }
  }

  async #handed(job: RenderJob, given: AsyncDisposableStack): Promise<RenderJob> {
    if (!('source' in job)) return { ...job, path: await this.#give(job.path, given) }
    const source = { ...job.source, path: await this.#give(job.source.path, given) }
    if (job.kind !== 'transform' || job.overlays === undefined) return { ...job, source }
    const overlays: OverlayJob[] = []
    for (const overlay of job.overlays) {
      const path = await this.#give(overlay.source.path, given)
      overlays.push({ ...overlay, source: { ...overlay.source, path } })
    }
    return { ...job, source, overlays }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.#directory, { recursive: true, force: true })
  }

  /** Where the child finds it, until what is given is taken back. */
  async #give(from: string, given: AsyncDisposableStack): Promise<string> {
    this.#count += 1
    const to = join(this.inbox, String(this.#count))
    given.defer(() => takeBack(to))
    try {
      await link(from, to).catch(async (error: NodeJS.ErrnoException) => {
        if (!notLinkable.has(error.code)) throw error
        await copyFile(from, to)
      })
      return to
    } catch (cause) {
      throw new RenderSourceError('The image is not where it should be', { cause })
    }
  }
}

/** There is nothing to take back where it could not be given, or where the child's directory is gone. */
async function takeBack(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw error
  })
}
