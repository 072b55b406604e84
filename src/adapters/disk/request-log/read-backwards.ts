import { open } from 'node:fs/promises'

import { isAbsence } from '../../../lib/files/file-faults.ts'

const blockBytes = 64 * 1024
const lineEnd = 0x0a
/** What is longer is no line of ours. */
const maxLineBytes = 1024 * 1024

export interface LineAt {
  /** Of its first byte. */
  readonly offset: number
  readonly text: string
}

/**
 * The lines of a file that end before `end`, in batches, the last one first, without their line ends. What
 * stands behind the last line end is none. A file that is gone has no lines.
 */
export async function* readBackwards(path: string, end: number): AsyncIterable<readonly LineAt[]> {
  const file = await open(path).catch((error: unknown) => {
    if (isAbsence(error)) return undefined
    throw error
  })
  if (file === undefined) return
  await using _open = file
  /** The beginning of a line whose rest was read before. */
  let rest: Buffer = Buffer.alloc(0)
  let isFirst = true
  for (let blockEnd = end; blockEnd > 0;) {
    const start = Math.max(0, blockEnd - blockBytes)
    const block = Buffer.alloc(blockEnd - start)
    await file.read(block, 0, block.length, start)
    const bytes = rest.length === 0 ? block : Buffer.concat([block, rest])
    const { lines, head } = split(bytes, { start, isFirst })
    yield lines
    rest = head.length > maxLineBytes ? Buffer.alloc(0) : head
    isFirst = false
    blockEnd = start
  }
}

interface Place {
  /** Where the bytes begin in the file. */
  readonly start: number
  /** Whether nothing that stands behind them was read before. */
  readonly isFirst: boolean
}

/** `head` may go on further ahead in the file. */
function split(bytes: Buffer, { start, isFirst }: Place) {
  const lines: LineAt[] = []
  let end = isFirst ? bytes.lastIndexOf(lineEnd) : bytes.length
  if (end < 0) return { lines, head: isFirst ? Buffer.alloc(0) : bytes }
  for (;;) {
    const before = end === 0 ? -1 : bytes.lastIndexOf(lineEnd, end - 1)
    if (before < 0) break
    if (end > before + 1)
      lines.push({ offset: start + before + 1, text: bytes.toString('utf8', before + 1, end) })
    end = before
  }
  if (start > 0) return { lines, head: bytes.subarray(0, end) }
  if (end > 0) lines.push({ offset: 0, text: bytes.toString('utf8', 0, end) })
  return { lines, head: Buffer.alloc(0) }
}
