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
export function openSendable(
  body: unknown,
  { sizeBytes, start, end }: WantedBytes,
): SendableFile | undefined {
  if (!isNamedFile(body)) return undefined
  const descriptor = openOrNot(body.name)
  if (descriptor === undefined) return undefined
  const close = () => closeSync(descriptor)
  if (fstatSync(descriptor).size === sizeBytes) return { descriptor, start, end, close }
  close()
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
