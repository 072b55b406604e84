export interface Waiting {
  readonly file: Pick<Blob, 'size'>
  /** Whether it was refused together with others and has to be sent by itself. */
  readonly isAlone: boolean
}

const smallBytes = 262_144
const maxBatchFiles = 50
const maxBatchBytes = 6_291_456

/** What to send next: many small files in one commit, or one file by itself. */
export function nextTask<Item extends Waiting>(queued: readonly Item[]): readonly Item[] {
  const [first] = queued
  if (first === undefined) return []
  if (!isSmall(first)) return [first]
  const batch: Item[] = []
  let bytes = 0
  for (const item of queued) {
    if (!isSmall(item)) continue
    if (batch.length >= maxBatchFiles || bytes + item.file.size > maxBatchBytes) break
    batch.push(item)
    bytes += item.file.size
  }
  return batch
}

const isSmall = ({ file, isAlone }: Waiting): boolean => !isAlone && file.size <= smallBytes
