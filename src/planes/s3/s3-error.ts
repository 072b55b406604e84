import { asRefusal, type ErrorCode } from '../../domain/errors.ts'

/**
 * The codes of S3 that are said here, with their status.
 * https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html
 */
const statuses = {
  AccessControlListNotSupported: 400,
  AccessDenied: 403,
  AccessForbidden: 403,
  AuthorizationHeaderMalformed: 400,
  AuthorizationQueryParametersError: 400,
  BadDigest: 400,
  BadRequest: 400,
  BucketAlreadyExists: 409,
  BucketAlreadyOwnedByYou: 409,
  BucketNotEmpty: 409,
  EntityTooLarge: 400,
  Erased: 451,
  EntityTooSmall: 400,
  IllegalVersioningConfigurationException: 400,
  IncompleteBody: 400,
  InternalError: 500,
  InvalidAccessKeyId: 403,
  InvalidArgument: 400,
  InvalidBucketName: 400,
  InvalidChunkSizeError: 403,
  InvalidDigest: 400,
  InvalidPart: 400,
  InvalidPartOrder: 400,
  InvalidPolicyDocument: 400,
  InvalidRange: 416,
  InvalidRequest: 400,
  InvalidStorageClass: 400,
  InvalidTag: 400,
  InvalidToken: 400,
  KeyTooLongError: 400,
  MalformedPOSTRequest: 400,
  MalformedTrailerError: 400,
  MalformedXML: 400,
  MaxPostPreDataLengthExceededError: 400,
  MetadataTooLarge: 400,
  MethodNotAllowed: 405,
  MissingContentLength: 411,
  NoSuchBucket: 404,
  NoSuchBucketPolicy: 404,
  NoSuchCORSConfiguration: 404,
  NoSuchKey: 404,
  NoSuchLifecycleConfiguration: 404,
  NoSuchTagSet: 404,
  NoSuchUpload: 404,
  NoSuchVersion: 404,
  NoSuchWebsiteConfiguration: 404,
  NotImplemented: 501,
  ObjectLockConfigurationNotFoundError: 404,
  OperationAborted: 409,
  PreconditionFailed: 412,
  QuotaExceeded: 403,
  ReplicationConfigurationNotFoundError: 404,
  RequestTimeTooSkewed: 403,
  ServerSideEncryptionConfigurationNotFoundError: 404,
  ServiceUnavailable: 503,
  SignatureDoesNotMatch: 403,
  SlowDown: 503,
  XAmzContentSHA256Mismatch: 400,
} as const

export type S3ErrorCode = keyof typeof statuses

interface Options {
  /** Elements the error document has besides its own, e.g. `ArgumentName`. */
  readonly elements?: Readonly<Record<string, string>>
  readonly headers?: Readonly<Record<string, string>>
  /** For the log only. */
  readonly cause?: unknown
}

/** A refusal in the words of S3. */
export class S3Error extends Error {
  override readonly name = 'S3Error'
  readonly code: S3ErrorCode
  readonly elements: Readonly<Record<string, string>>
  readonly headers: Readonly<Record<string, string>>

  constructor(code: S3ErrorCode, message: string, options: Options = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.elements = options.elements ?? {}
    this.headers = options.headers ?? {}
  }

  get status(): number {
    return statuses[this.code]
  }
}

/** What S3 calls the refusals of the domain; all others are faults of the service. */
const codesOfDomain: Partial<Record<ErrorCode, S3ErrorCode>> = {
  InvalidParameter: 'InvalidArgument',
  Unauthorized: 'AccessDenied',
  Forbidden: 'AccessDenied',
  InsufficientScope: 'AccessDenied',
  ZoneSuspended: 'AccessDenied',
  QuotaExceeded: 'QuotaExceeded',
  NotFound: 'NoSuchKey',
  ZoneNotFound: 'NoSuchBucket',
  PreviewNotFound: 'NoSuchBucket',
  AssetNotFound: 'NoSuchKey',
  UploadNotFound: 'NoSuchUpload',
  UploadExpired: 'NoSuchUpload',
  AssetExpired: 'NoSuchKey',
  ZoneExists: 'BucketAlreadyExists',
  PathConflict: 'InvalidRequest',
  WriteConflict: 'OperationAborted',
  ModerationHeld: 'OperationAborted',
  LimitExceeded: 'InvalidRequest',
  Erased: 'Erased',
  limit_reached: 'SlowDown',
  PreconditionFailed: 'PreconditionFailed',
  PayloadTooLarge: 'EntityTooLarge',
  Unavailable: 'ServiceUnavailable',
}

/** What was thrown, whatever it was, as S3 says it. */
export function toS3Error(thrown: unknown): S3Error {
  if (thrown instanceof S3Error) return thrown
  const refusal = asRefusal(thrown)
  // What was said here of a body passes through the domain.
  if (refusal?.cause instanceof S3Error) return refusal.cause
  const code = refusal && codesOfDomain[refusal.code]
  if (refusal === undefined || code === undefined)
    return new S3Error('InternalError', 'We encountered an internal error. Please try again.', {
      cause: thrown,
    })
  return new S3Error(code, refusal.message, { cause: refusal })
}
