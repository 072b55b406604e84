const codes: ReadonlySet<unknown> = new Set(['ENOSPC', 'EDQUOT', 'EFBIG'])

/** Whether the operating system refused a write for want of room, by `errno(3)`. */
export const isFullDisk = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && codes.has(error.code)
