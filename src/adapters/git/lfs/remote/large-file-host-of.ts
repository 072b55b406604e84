import { DirectoryLargeFiles } from './directory-large-files.ts'
import { HttpLargeFiles, type HttpLargeFilesOptions } from './http-large-files.ts'
import type { LargeFileHost } from './large-file-host.ts'

/**
 * Where a remote has the bytes that git only has pointers to; `undefined` where it is reached in a way that
 * leads to none.
 */
export function largeFileHostOf(options: HttpLargeFilesOptions): LargeFileHost | undefined {
  if (/^https?:/u.test(options.url)) return new HttpLargeFiles(options)
  return /^(?:file:|\/)/u.test(options.url) ? new DirectoryLargeFiles(options) : undefined
}
