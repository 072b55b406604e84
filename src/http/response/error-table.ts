import type { ErrorCode } from '../../domain/errors.ts'

export interface ErrorKind {
  readonly status: number
  /** For the documentation: when it happens, and what to do. */
  readonly meaning: string
}

/** What each code is on the wire. A code without a row does not compile. */
export const errorTable: Readonly<Record<ErrorCode, ErrorKind>> = {
  InvalidParameter: {
    status: 400,
    meaning:
      'A parameter, a header or the body breaks a rule. `target` names it; with several faults, `details` has one entry each.',
  },
  ChecksumMismatch: {
    status: 400,
    meaning:
      'The bytes that arrived do not have the announced SHA-256. `Expected` and `Received` say both. Nothing was stored; send again.',
  },
  UploadLengthMismatch: {
    status: 400,
    meaning: 'The length of an upload differs from what was said before, or from what arrived.',
  },
  UnsupportedApiVersion: {
    status: 400,
    meaning:
      '`X-API-Version` asks for a version that does not exist. `SupportedVersions` lists those that do.',
  },
  Unauthorized: {
    status: 401,
    meaning:
      'No valid credential came with the request. `WWW-Authenticate` names those that would do.',
  },
  Forbidden: { status: 403, meaning: 'The credential is valid, but not for this.' },
  InsufficientScope: {
    status: 403,
    meaning: 'The token is valid but lacks the scope that `WWW-Authenticate` names.',
  },
  TransformNotAllowed: {
    status: 403,
    meaning:
      'The zone or the service has images made by named transforms alone, or by signed URLs alone (`Transforms`, `TRANSFORM_MODE`).',
  },
  ZoneSuspended: { status: 403, meaning: 'The zone is suspended and takes no writes.' },
  QuotaExceeded: {
    status: 403,
    meaning:
      'The zone stores as much as it may: `target` names the quota, `Limit` and `Used` say it. Nothing was stored, and trying again does not help; remove something, or ask the operator for more.',
  },
  NotFound: { status: 404, meaning: 'There is nothing at this URL.' },
  ZoneNotFound: { status: 404, meaning: 'There is no zone of that name.' },
  AssetNotFound: { status: 404, meaning: 'There is no asset at that path.' },
  UploadNotFound: {
    status: 404,
    meaning: 'There is no such upload, or it is of a zone that the credential does not reach.',
  },
  PreviewNotFound: {
    status: 404,
    meaning: 'The zone has no preview of that name, or has it no more.',
  },
  MethodNotAllowed: {
    status: 405,
    meaning: 'The URL exists but does not take this method. `Allow` lists those it takes.',
  },
  NotAcceptable: { status: 406, meaning: 'Nothing the service could answer is in `Accept`.' },
  ZoneExists: { status: 409, meaning: 'A zone of that name exists already.' },
  HostnameTaken: { status: 409, meaning: 'A zone has that host name already.' },
  PreviewExists: { status: 409, meaning: 'The zone has a preview of that name already.' },
  PreviewConflict: {
    status: 409,
    meaning:
      'Live and the preview both changed the same, otherwise. `Conflicts` names the paths, with the SHA-256 that each side has. Nothing was done: write to the preview what is to be, or update it.',
  },
  ModerationHeld: {
    status: 409,
    meaning:
      'The zone holds back images that a model takes for unfit, and those that it has not seen yet. `details` names them. Nothing was done: store them in a preview; there try again when they have been seen, or release them by a person.',
  },
  PathConflict: {
    status: 409,
    meaning:
      'The path differs from a stored one only by letter case or Unicode form, or would turn a file into a directory or the reverse.',
  },
  WriteConflict: {
    status: 409,
    meaning: 'Another write came between. Read the newest state and try again.',
  },
  OffsetMismatch: {
    status: 409,
    meaning: 'The upload has another number of bytes: `Offset`. Go on from there.',
  },
  BackupsOff: { status: 409, meaning: 'No backups are set up: `BACKUP_TO` says where they go.' },
  BackupRunning: {
    status: 409,
    meaning: 'A backup or its verification is under way; do it again once that has ended.',
  },
  BackupDamaged: { status: 409, meaning: 'The manifest of the backup is not as it was written.' },
  LimitExceeded: {
    status: 409,
    meaning:
      'There are as many of these as there may be: `Limit`. Trying again does not help; remove one, or ask the operator for more. `GET /api/limits` shows them all.',
  },
  UploadExpired: {
    status: 410,
    meaning: 'The time of the upload is over and its bytes are gone. Begin a new one.',
  },
  AssetExpired: {
    status: 410,
    meaning: 'The time that its owner gave the asset is over. It may come back.',
  },
  VersionGone: {
    status: 410,
    meaning:
      'The version is older than what its zone keeps (`HistoryDays`), and its bytes have been let go. It does not come back.',
  },
  PreconditionFailed: {
    status: 412,
    meaning:
      '`If-Match`, `If-None-Match` or `If-Unmodified-Since` does not hold; or nothing has been published yet under the number in `If-Position-At-Least`.',
  },
  RangeNotSatisfiable: {
    status: 416,
    meaning: 'No byte of the range is there: `Content-Range` says how many bytes there are.',
  },
  PayloadTooLarge: { status: 413, meaning: 'The body is over the limit in `MaxSize` (bytes).' },
  UriTooLong: {
    status: 414,
    meaning: 'The URL is over the limit in `MaxLength` (characters).',
  },
  UnsupportedMediaType: { status: 415, meaning: 'The body is not of a media type this takes.' },
  MisdirectedRequest: {
    status: 421,
    meaning:
      'The connection was made for another host name: there is no certificate for this one. Open one of its own.',
  },
  UnprocessableImage: {
    status: 422,
    meaning: 'The image cannot be decoded, or has more pixels than the service takes.',
  },
  UnprocessableMedia: {
    status: 422,
    meaning:
      'The video cannot be streamed as it is; the message says why. Its file is still delivered.',
  },
  StillUnavailable: {
    status: 422,
    meaning:
      'No image can be made of such a file before something is installed where the service runs: `Install` says what. The file itself is still delivered.',
  },
  Erased: {
    status: 451,
    meaning:
      'These bytes were erased for good, and are neither given to anybody nor taken in again. Whoever runs the service knows why.',
  },
  limit_reached: {
    status: 429,
    meaning:
      'The limit in `RateLimit-Policy` is used up. Wait as long as `Retry-After` says (seconds).',
  },
  InternalError: {
    status: 500,
    meaning: 'A fault of the service. Give the operator the `requestId`; the log has the cause.',
  },
  Unavailable: {
    status: 503,
    meaning: 'The service cannot do this now. Try again after `Retry-After` (seconds).',
  },
}
