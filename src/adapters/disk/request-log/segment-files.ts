import { type FileHandle, mkdir, open, readdir, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'

import { Mutex } from '../../../lib/async/mutex.ts'

/** One file of lines. */
export interface Segment {
  readonly number: number
  sizeBytes: number
}

export interface SegmentFilesOptions {
  readonly directory: string
  /** Of all files together, at most. */
  readonly maxBytes: number
  /** In milliseconds: files are named by when they were begun. */
  readonly now: () => number
}

/** Of so many files, the oldest is forgotten as a whole. */
const segmentsInRoom = 16

/**
 * Files that are only ever appended to, named by numbers that grow and are never used again. A process
 * begins with a file of its own, so that what was torn off at the end of an earlier one stays a line by itself.
 */
export class SegmentFiles {
  readonly #directory: string
  readonly #maxBytes: number
  readonly #now: () => number
  readonly #mutex = new Mutex()
  /** Oldest first; the last is written to where there is a `#handle`. */
  readonly #segments: Segment[] = []
  #handle: FileHandle | undefined
  #newest = 0

  private constructor({ directory, maxBytes, now }: SegmentFilesOptions) {
    this.#directory = directory
    this.#maxBytes = maxBytes
    this.#now = now
  }

  static async open(options: SegmentFilesOptions): Promise<SegmentFiles> {
    const files = new SegmentFiles(options)
    await files.#takeUp()
    return files
  }

  /** Newest first, as they are now. */
  list(): readonly Segment[] {
    return this.#segments.map((segment) => ({ ...segment })).toReversed()
  }

  pathOf(number: number): string {
    return join(this.#directory, `${String(number).padStart(10, '0')}${suffix}`)
  }

  /** Appends whole lines. After a failure the next ones go to another file. */
  async append(bytes: Uint8Array): Promise<void> {
    using _turn = await this.#mutex.acquire()
    const { handle, segment } = await this.#writable()
    try {
      await handle.writeFile(bytes)
      segment.sizeBytes += bytes.length
    } catch (error) {
      segment.sizeBytes = (await handle.stat()).size
      await this.#closeHandle()
      throw error
    }
    if (segment.sizeBytes >= this.#maxBytes / segmentsInRoom) await this.#closeHandle()
    await this.#keepWithin()
  }

  async forgetBefore(time: Date): Promise<void> {
    using _turn = await this.#mutex.acquire()
    for (const { number } of this.list().toReversed()) {
      const writtenMs = (await stat(this.pathOf(number)).catch(() => undefined))?.mtimeMs ?? 0
      if (writtenMs >= time.getTime()) return
      await this.#forgetOldest()
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    using _turn = await this.#mutex.acquire()
    await this.#closeHandle()
  }

  async #takeUp(): Promise<void> {
    await mkdir(this.#directory, { recursive: true })
    const numbers = (await readdir(this.#directory)).flatMap(numberOf).toSorted((a, b) => a - b)
    for (const number of numbers)
      this.#segments.push({ number, sizeBytes: (await stat(this.pathOf(number))).size })
    this.#newest = numbers.at(-1) ?? 0
    await this.#keepWithin()
  }

  async #writable() {
    let segment = this.#segments.at(-1)
    if (this.#handle === undefined || segment === undefined) {
      // The number is used up even where the file cannot be made.
      this.#newest = Math.max(this.#newest + 1, this.#now())
      segment = { number: this.#newest, sizeBytes: 0 }
      this.#handle = await open(this.pathOf(segment.number), 'ax', 0o600)
      this.#segments.push(segment)
    }
    return { handle: this.#handle, segment }
  }

  async #closeHandle(): Promise<void> {
    const handle = this.#handle
    this.#handle = undefined
    await handle?.close()
  }

  async #keepWithin(): Promise<void> {
    const size = () => this.#segments.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    while (this.#segments.length > 1 && size() > this.#maxBytes) await this.#forgetOldest()
  }

  async #forgetOldest(): Promise<void> {
    const [oldest] = this.#segments
    if (oldest === undefined) return
    if (this.#segments.length === 1) await this.#closeHandle()
    this.#segments.shift()
    await rm(this.pathOf(oldest.number), { force: true })
  }
}

const suffix = '.ndjson'

function numberOf(name: string): readonly number[] {
  const digits = /^(\d{10,15})\.ndjson$/u.exec(name)?.[1]
  return digits === undefined ? [] : [Number(digits)]
}
