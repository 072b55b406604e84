import { statSync } from 'node:fs'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'

export interface LocalFile {
  /** Where it is read. */
  readonly source: string
  /** Where it goes: `<zone>/v1/<category>/<file>`. */
  readonly path: string
  readonly sizeBytes: number
}

/** Fewer than a commit may have, so that what is sent says soon how far it is. */
const maxBatchFiles = 2_000
const maxBatchBytes = 8 * 2 ** 20
/** A file this large goes alone, as a stream of its own bytes. */
const aloneFromBytes = 2 * 2 ** 20

/** Every file below `directory`, as it will be below `target`; names that begin with a dot are left out. */
export async function filesBelow(directory: string, target: string): Promise<readonly LocalFile[]> {
  const names = await readdir(directory, { recursive: true })
  const files: LocalFile[] = []
  for (const name of names.toSorted()) {
    if (name.split('/').some((segment) => segment.startsWith('.'))) continue
    const source = join(directory, name)
    // There is nothing else to do meanwhile, and waiting takes ten times as long.
    const facts = statSync(source)
    if (!facts.isFile()) continue
    // Storage knows one form of a name; file systems know several.
    files.push({ source, path: `${target}/${name}`.normalize('NFC'), sizeBytes: facts.size })
  }
  return files
}

/** Files grouped for sending: small ones together, large ones alone, in order. */
export function batchesOf(files: readonly LocalFile[]): readonly (readonly LocalFile[])[] {
  const batches: LocalFile[][] = []
  let open: LocalFile[] = []
  let openBytes = 0
  for (const file of files) {
    if (file.sizeBytes >= aloneFromBytes) {
      batches.push([file])
      continue
    }
    if (open.length === maxBatchFiles || openBytes + file.sizeBytes > maxBatchBytes) {
      batches.push(open)
      open = []
      openBytes = 0
    }
    open.push(file)
    openBytes += file.sizeBytes
  }
  if (open.length > 0) batches.push(open)
  return batches
}
