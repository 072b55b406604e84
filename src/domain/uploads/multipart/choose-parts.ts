import type { UploadPart } from '../../../ports/content/upload-part-store.ts'

export const maxPartNumber = 10_000
export const maxPartBytes = 5 * 2 ** 30
/** Of each but the last. */
export const minPartBytes = 5 * 2 ** 20

/** A part as whoever completes an upload names it. */
export interface PartChoice {
  readonly number: number
  /** Lower-case hex. */
  readonly md5: string
}

/** Why parts cannot be made a file: numbers that do not rise, one that is not there, one that is too small. */
export interface PartFault {
  readonly fault: 'order' | 'unknown' | 'small'
  readonly choice: PartChoice
}

/** The stored parts that are meant, or the first that is wrong. */
export function chooseParts(
  choices: readonly PartChoice[],
  stored: readonly UploadPart[],
): { readonly parts: readonly UploadPart[] } | PartFault {
  const partByNumber = new Map(stored.map((part) => [part.number, part]))
  const parts: UploadPart[] = []
  let before = 0
  for (const choice of choices) {
    if (choice.number <= before) return { fault: 'order', choice }
    before = choice.number
    const part = partByNumber.get(choice.number)
    if (part === undefined || part.md5 !== choice.md5) return { fault: 'unknown', choice }
    parts.push(part)
  }
  const small = parts.slice(0, -1).find(({ sizeBytes }) => sizeBytes < minPartBytes)
  return small === undefined ? { parts } : { fault: 'small', choice: small }
}
