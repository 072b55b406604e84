import { takeTurns } from '../../../lib/async/turns.ts'
import type { BlobRef } from '../../../ports/content/blob-store.ts'
import { streamGit } from '../objects/git-command.ts'
import type { BlobReader } from '../objects/blob-reader.ts'
import { isPointerLength } from './pointer.ts'

const listing = [
  'cat-file',
  '--batch-all-objects',
  '--unordered',
  '--batch-check=%(objecttype) %(objectsize) %(objectname)',
]

const linesPerTurn = 5_000

/**
 * What every pointer of a repository stands for, whichever commit has it and whatever attributes say:
 * rather too many than one too few. Of most objects, only the size is looked at.
 */
export async function* pointersIn(
  repository: string,
  blobs: Pick<BlobReader, 'pointer'>,
): AsyncGenerator<BlobRef, void, undefined> {
  const seen = new Set<string>()
  for await (const line of linesOf(streamGit(repository, listing))) {
    const [kind, size, id] = line.split(' ')
    if (kind !== 'blob' || id === undefined || !isPointerLength(Number(size))) continue
    const ref = await blobs.pointer(id)
    if (ref === undefined || seen.has(ref.sha256)) continue
    seen.add(ref.sha256)
    yield ref
  }
}

/** Without their ends; what follows the last one is no line. Others have their turn where many are at hand. */
export async function* linesOf(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<string, void, undefined> {
  const decoder = new TextDecoder()
  let unread = ''
  const turns = takeTurns(linesPerTurn)
  for await (const piece of pieces) {
    const lines = (unread + decoder.decode(piece, { stream: true })).split('\n')
    unread = lines.pop() ?? ''
    for (const line of lines) {
      yield line
      await turns.after(1)
    }
  }
}
