import { isFullDisk } from '../../../lib/files/file-faults.ts'
import { isUnavailable, StoreUnavailableError } from '../../../ports/store-unavailable-error.ts'

export const codeOf = (error: unknown): unknown =>
  error instanceof Error && 'code' in error ? error.code : undefined

/** Nothing has changed on disk that anything points to; the next write may well succeed. */
export const passingFault = (what: string, cause: unknown): StoreUnavailableError =>
  isUnavailable(cause, 'content')
    ? cause
    : new StoreUnavailableError(`${what} failed`, { store: 'content', final: false, cause })

/**
 * For a flush that failed. What a file system says only at a flush about a full disk concerns a new
 * file that nothing points to yet; anything else leaves it open what is on disk.
 */
export const flushFault = (what: string, cause: unknown): StoreUnavailableError =>
  new StoreUnavailableError(`${what} failed`, {
    store: 'content',
    final: !isFullDisk(cause),
    cause,
  })

export const finalFault = (what: string, cause: unknown): StoreUnavailableError =>
  new StoreUnavailableError(`${what} failed`, { store: 'content', final: true, cause })
