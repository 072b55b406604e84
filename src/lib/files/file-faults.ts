const fullDiskCodes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])
const absenceCodes: ReadonlySet<unknown> = new Set(['ENOENT', 'ENOTDIR'])

/** Whether the operating system refused a write for want of room, by `errno(3)`. */
export const isFullDisk = (error: unknown): boolean => fullDiskCodes.has(codeOf(error))

/** Whether a file or its directory does not exist. */
export const isAbsence = (error: unknown): boolean => absenceCodes.has(codeOf(error))

/** The value, or `undefined` where the file or its directory does not exist. */
export async function ifPresent<T>(answer: Promise<T>): Promise<T | undefined> {
  try {
    return await answer
  } catch (error) {
    if (isAbsence(error)) return undefined
    throw error
  }
}

const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined
