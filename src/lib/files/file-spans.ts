import { closeSync } from 'node:fs'

import { openOfSize, type SendableFile } from './sendable-file.ts'

interface FileSpan {
  readonly path: string
  /** Of the whole file. */
  readonly sizeBytes: number
  readonly start: number
  readonly end: number
}

interface Range {
  readonly start: number
  readonly end: number
}

/** Of a Blob Bun tells the name of the file, and not which of its bytes. */
const spans = new WeakMap<Blob, FileSpan>()

/** A whole file whose bytes never change, which knows where they are. */
export function wholeFile(path: string, sizeBytes: number): Blob {
  const file = Bun.file(path)
  spans.set(file, { path, sizeBytes, start: 0, end: sizeBytes })
  return file
}

/** The bytes from `start` up to `end`, as far as there are any; all of them where no range is told. */
export function sliceOf<Bytes extends { slice(start: number, end: number): Bytes }>(
  bytes: Bytes,
  range: Range | undefined,
): Bytes {
  if (range === undefined) return bytes
  const part = bytes.slice(range.start, range.end)
  const span = bytes instanceof Blob ? spans.get(bytes) : undefined
  if (span !== undefined && part instanceof Blob) spans.set(part, within(span, range))
  return part
}

function within({ start, end, ...file }: FileSpan, range: Range): FileSpan {
  const from = Math.min(start + range.start, end)
  return { ...file, start: from, end: Math.max(from, Math.min(start + range.end, end)) }
}

/** `undefined` where `body` does not know where it is, or the file is gone or another one. Nothing is read. */
export function openSpan(body: Blob): SendableFile | undefined {
  const span = spans.get(body)
  const descriptor = span && openOfSize(span.path, span.sizeBytes)
  if (span === undefined || descriptor === undefined) return undefined
  const { start, end } = span
  return { descriptor, start, end, close: () => closeSync(descriptor) }
}
