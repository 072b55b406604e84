import type { ServiceError } from '../../../domain/errors.ts'
import { pieceChecksums } from '../../../domain/uploads/uploads.ts'
import type { Protocol } from '../../../http/protocol.ts'

const version = '1.0.0'
/** Not concatenation: one file is one upload here. */
const extensions = [
  'creation',
  'creation-with-upload',
  'creation-defer-length',
  'checksum',
  'termination',
  'expiration',
]

/** tus, the resumable upload protocol, version 1.0.0 (https://tus.io/protocols/resumable-upload). */
export const tusProtocol: Protocol = {
  headers: { 'Tus-Resumable': version },
  takesMethodOverride: true,
  refusal: ({ code, target }: ServiceError) => {
    if (code === 'ChecksumMismatch') return { status: checksumMismatch }
    return isOfVersion(code, target) ? { headers: { 'Tus-Version': version } } : {}
  },
}

/** A status of tus' own. */
const checksumMismatch = 460
export const versionField = 'Tus-Resumable'

const isOfVersion = (code: string, target: string | undefined): boolean =>
  code === 'PreconditionFailed' && target === versionField

export const isSpoken = (said: string | null): boolean => said === version

/** What `OPTIONS` tells. */
export const tusDiscovery = ({ maxFileBytes }: { readonly maxFileBytes: number }) => ({
  'Tus-Version': version,
  'Tus-Extension': extensions.join(','),
  'Tus-Max-Size': String(maxFileBytes),
  'Tus-Checksum-Algorithm': pieceChecksums.join(','),
})
