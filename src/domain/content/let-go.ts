import { ServiceError } from '../errors.ts'

/**
 * The text that former commits have in the place of bytes that their zone no longer keeps. It is the same for all, so
 * what has it is known for what it is wherever it is read, and nobody may store it.
 */
export const letGoMarker = 'This version is older than what its zone keeps, and was let go.\n'

const markerSha256 = new Bun.CryptoHasher('sha256').update(letGoMarker).digest('hex')

export const isLetGo = (sha256: string | undefined): boolean => sha256 === markerSha256

export const letGoError = (what: string) =>
  new ServiceError('VersionGone', `${what} is older than what its zone keeps, and was let go`, {
    target: 'path',
  })
