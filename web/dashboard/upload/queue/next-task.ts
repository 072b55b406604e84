export interface Waiting {
  readonly file: Pick<Blob, 'size'>
  /** Whether it was refused together with others and has to be sent by itself. */
  readonly isAlone: boolean
}

const smallBytes = 262_144
export const maxBatchFiles = 250
const maxBatchBytes = 8_388_608

/** What to send next: many small files together, or one file by itself. */
export function nextTask<Item extends Waiting>(queued: readonly Item[]): readonly Item[] {
  const single = queued.find(isAlone)
  if (single !== undefined) return [single]
  const batch: Item[] = []
  let bytes = 0
  for (const item of queued) {
    if (batch.length >= maxBatchFiles || bytes + item.file.size > maxBatchBytes) break
    batch.push(item)
    bytes += item.file.size
  }
  return batch
}

/** Whether a file is worth sending together with others. */
export const isSmall = ({ size }: Pick<Blob, 'size'>): boolean => size <= smallBytes

const isAlone = (item: Waiting): boolean => item.isAlone || !isSmall(item.file)
