import { closeSync, fstatSync, openSync } from 'node:fs'

/** A file that is open for a response. Whoever gets it closes it. */
export interface SendableFile {
  readonly descriptor: number
  /** The bytes to send: from `start` up to `end`. */
  readonly start: number
  readonly end: number
  close(): void
}

export interface WantedBytes {
  /** Of the whole file; where it is another, the file is not what it is taken for. */
  readonly sizeBytes: number
  readonly start: number
  readonly end: number
}

/** Whether it is a whole file of this machine. */
export const isNamedFile = (body: unknown): body is Blob & { readonly name: string } =>
  body instanceof Blob && 'name' in body && typeof body.name === 'string'

/** `undefined` where `body` is not a whole file of this machine. It takes microseconds: nothing is read. */
export function openSendable(body: unknown, wanted: WantedBytes): SendableFile | undefined {
  if (!isNamedFile(body)) return undefined
  const descriptor = openOfSize(body.name, wanted.sizeBytes)
  if (descriptor === undefined) return undefined
  const { start, end } = wanted
  return { descriptor, start, end, close: () => closeSync(descriptor) }
}

/** `undefined` where there is none of that size. */
export function openOfSize(path: string, sizeBytes: number): number | undefined {
  const descriptor = openOrNot(path)
  if (descriptor === undefined || fstatSync(descriptor).size === sizeBytes) return descriptor
  closeSync(descriptor)
  return undefined
}

/** It may have been forgotten, or the process has no descriptor left: then others have to respond. */
function openOrNot(path: string): number | undefined {
  try {
    return openSync(path, 'r')
  } catch {
    return undefined
  }
}
