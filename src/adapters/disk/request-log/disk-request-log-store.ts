import { join } from 'node:path'

import {
  lineText,
  type LinePosition,
  type RequestKind,
  requestKindOf,
  requestKinds,
  type RequestLine,
  type RequestLogStore,
  type StoredLine,
} from '../../../ports/traffic/request-log-store.ts'
import { readBackwards } from './read-backwards.ts'
import { SegmentFiles } from './segment-files.ts'

export interface DiskRequestLogOptions {
  readonly directory: string
  /** How many bytes there is room for, of each kind. */
  readonly maxBytes: Readonly<Record<RequestKind, number>>
  /** In milliseconds. */
  readonly now: () => number
}

/** Request lines as JSON, a directory a kind, in files that are only appended to and forgotten as a whole. */
export class DiskRequestLogStore implements RequestLogStore {
  readonly #filesByKind: ReadonlyMap<RequestKind, SegmentFiles>

  private constructor(filesByKind: ReadonlyMap<RequestKind, SegmentFiles>) {
    this.#filesByKind = filesByKind
  }

  static async open({ directory, maxBytes, now }: DiskRequestLogOptions) {
    const filesByKind = new Map<RequestKind, SegmentFiles>()
    for (const kind of requestKinds)
      filesByKind.set(
        kind,
        await SegmentFiles.open({
          directory: join(directory, kind),
          maxBytes: maxBytes[kind],
          now,
        }),
      )
    return new DiskRequestLogStore(filesByKind)
  }

  async append(lines: readonly RequestLine[]): Promise<void> {
    const byKind = Map.groupBy(lines, ({ status }) => requestKindOf(status))
    // One kind that cannot be kept says nothing of another.
    const kept = await Promise.allSettled(
      Array.from(byKind, ([kind, each]) => this.#filesOf(kind).append(bytesOf(each))),
    )
    const failed = kept.find(({ status }) => status === 'rejected')
    if (failed?.status === 'rejected') throw failed.reason
  }

  async *read(kind: RequestKind, before?: LinePosition): AsyncIterable<readonly StoredLine[]> {
    const files = this.#filesOf(kind)
    for (const { number, sizeBytes } of files.list()) {
      if (before !== undefined && number > before.segment) continue
      const end = number === before?.segment ? Math.min(before.offset, sizeBytes) : sizeBytes
      for await (const lines of readBackwards(files.pathOf(number), end))
        yield lines
          .filter(({ text }) => isWhole(text))
          .map(({ offset, text }) => ({ position: { segment: number, offset }, text }))
    }
  }

  async forgetBefore(time: Date): Promise<void> {
    for (const files of this.#filesByKind.values()) await files.forgetBefore(time)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const files of this.#filesByKind.values()) await files[Symbol.asyncDispose]()
  }

  #filesOf(kind: RequestKind): SegmentFiles {
    const files = this.#filesByKind.get(kind)
    if (files === undefined) throw new Error(`there are no files of ${kind}`)
    return files
  }
}

const bytesOf = (lines: readonly RequestLine[]): Uint8Array =>
  Buffer.from(lines.map((line) => `${lineText(line)}\n`).join(''))

/** A crash or a full disk may leave the beginning of a line. */
const isWhole = (text: string): boolean => text.startsWith('{"at":') && text.endsWith('}')
