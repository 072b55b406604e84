import { closeSync, constants, openSync, writeSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'

/** What is longer goes by a file: a message of that length stands still for both processes, and is there twice. */
const maxSentBytes = 1024 * 1024
/** Nothing that is made is nearly as long. */
const maxBytes = 512 * 1024 * 1024

const fileName = 'result'

/** A result as it is sent; `sizeBytes` of its `bytes` lie in a file of the child's own directory. */
export interface SentResult {
  readonly result: unknown
  readonly sizeBytes?: number
}

interface WithBytes {
  readonly bytes: Uint8Array
}

const hasBytes = (result: unknown): result is WithBytes =>
  typeof result === 'object' &&
  result !== null &&
  'bytes' in result &&
  result.bytes instanceof Uint8Array

/** In the child: puts bytes that are long into a file of the directory. */
export function toSend(result: unknown, directory: string): SentResult {
  if (!hasBytes(result) || result.bytes.length <= maxSentBytes) return { result }
  try {
    writeWhole(join(directory, fileName), result.bytes)
  } catch {
    // A full disk is no fault of the image.
    return { result }
  }
  return { result: { ...result, bytes: new Uint8Array() }, sizeBytes: result.bytes.length }
}

/**
 * In the service: the result with its bytes, and the file gone. The child may have been taken over by an image,
 * so what lies there is opened as a plain file of the length that was said, or as nothing: it throws then.
 */
export async function taken(
  { result, sizeBytes }: SentResult,
  directory: string,
): Promise<unknown> {
  if (sizeBytes === undefined || !hasBytes(result)) return result
  const path = join(directory, fileName)
  try {
    return { ...result, bytes: await bytesOf(path, sizeBytes) }
  } finally {
    await rm(path, { recursive: true, force: true })
  }
}

function writeWhole(path: string, bytes: Uint8Array): void {
  const file = openSync(path, 'wx', 0o600)
  try {
    for (let written = 0; written < bytes.length;)
      written += writeSync(file, bytes, written, bytes.length - written)
  } finally {
    closeSync(file)
  }
}

async function bytesOf(path: string, sizeBytes: number): Promise<Uint8Array> {
  const { O_RDONLY, O_NOFOLLOW, O_NONBLOCK } = constants
  await using file = await open(path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK)
  const found = await file.stat()
  if (!found.isFile() || found.nlink !== 1 || found.size !== sizeBytes || sizeBytes > maxBytes)
    throw new Error('What the renderer left is not what it said')
  const bytes = new Uint8Array(sizeBytes)
  for (let length = 0; length < sizeBytes;) {
    const { bytesRead } = await file.read(bytes, length, sizeBytes - length)
    if (bytesRead === 0) throw new Error('What the renderer left has become shorter')
    length += bytesRead
  }
  return bytes
}
