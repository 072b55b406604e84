import { setting, wholeNumber } from './setting.ts'

const hours = wholeNumber(1, 24 * 365)
const size = wholeNumber(1, 1_000_000_000)
const many = wholeNumber(1, 1_000_000)

/** Files that arrive in pieces, over many requests. */
export const uploadSettings = {
  uploadTtlHours: setting(
    'UPLOAD_TTL_HOURS',
    '24',
    'How long an upload that is not whole lives from its last piece on; what came of it is then removed',
    hours,
  ),
  maxFileMb: setting(
    'MAX_FILE_MB',
    '5120',
    'The largest file (in MiB) that an upload in pieces may store; `PUT` takes 25 MB',
    size,
  ),
  lfsAboveMb: setting(
    'LFS_ABOVE_MB',
    '25',
    'Files larger than this (in MiB) are in the repository as Git LFS pointers, and their bytes in the blob store alone',
    size,
  ),
  pushMaxMb: setting(
    'PUSH_MAX_MB',
    '1024',
    'The most that a `git push` to `/git/` may bring (in MiB), as it is sent and unpacked; large files go by Git LFS and do not count',
    size,
  ),
  maxStagedGb: setting(
    'MAX_STAGED_GB',
    '20',
    'How much of uploads that are not whole may lie there for one zone, in GiB; what has arrived counts',
    size,
  ),
  uploadsPerZone: setting(
    'UPLOADS_PER_ZONE',
    '1000',
    'Uploads that are not whole which one zone may have',
    many,
  ),
  uploadsPerNetwork: setting(
    'UPLOADS_PER_NETWORK',
    '500',
    'Uploads that are not whole which one network (an IPv4 address, an IPv6 /56) may have begun',
    many,
  ),
} as const

/** What the settings say together that none says alone. */
export function uploadFaults({ maxFileMb, maxStagedGb }: UploadSizes): readonly string[] {
  if (maxFileMb === undefined || maxStagedGb === undefined) return []
  return maxFileMb <= maxStagedGb * 1024
    ? []
    : ['MAX_STAGED_GB must be at least as much as MAX_FILE_MB']
}

interface UploadSizes {
  readonly maxFileMb: number | undefined
  readonly maxStagedGb: number | undefined
}
