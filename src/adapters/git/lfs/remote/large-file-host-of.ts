import type { Secret } from '../../../../lib/secrets/secret.ts'
import { DirectoryLargeFiles } from './directory-large-files.ts'
import { HttpLargeFiles, type HttpLargeFilesOptions } from './http-large-files.ts'
import type { LargeFileHost } from './large-file-host.ts'
import { httpEndpoint } from './lfs-endpoint.ts'
import { authenticateBySsh } from './ssh-authentication.ts'
import { parseSshRemote } from './ssh-remote.ts'

interface Options extends Omit<HttpLargeFilesOptions, 'endpoint'> {
  /** The repository, as git names it. */
  readonly url: string
  /** The password for it, where it is reached by https. */
  readonly token: Secret | undefined
}

/**
 * Where a remote has the bytes that git only has pointers to; `undefined` where it is reached in a way that
 * leads to none.
 */
export function largeFileHostOf(options: Options): LargeFileHost | undefined {
  const { url, token, signal } = options
  if (/^https?:/u.test(url)) {
    const endpoint = httpEndpoint(url, token)
    return new HttpLargeFiles({ ...options, endpoint: async () => endpoint })
  }
  if (/^(?:file:|\/)/u.test(url)) return new DirectoryLargeFiles(options)
  const remote = parseSshRemote(url)
  if (remote === undefined) return undefined
  return new HttpLargeFiles({
    ...options,
    endpoint: (operation) => authenticateBySsh(remote, operation, signal),
  })
}
