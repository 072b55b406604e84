import { isUnavailable } from '../ports/store-unavailable-error.ts'

/** Every reason the service may refuse a request. Part of the public contract: add, never rename. */
export const errorCodes = [
  'InvalidParameter',
  'ChecksumMismatch',
  'UploadLengthMismatch',
  'UnsupportedApiVersion',
  'Unauthorized',
  'Forbidden',
  'InsufficientScope',
  'TransformNotAllowed',
  'ZoneSuspended',
  'QuotaExceeded',
  'NotFound',
  'ZoneNotFound',
  'AssetNotFound',
  'UploadNotFound',
  'PreviewNotFound',
  'MethodNotAllowed',
  'NotAcceptable',
  'ZoneExists',
  'HostnameTaken',
  'PreviewExists',
  'PreviewConflict',
  'ModerationHeld',
  'PathConflict',
  'WriteConflict',
  'OffsetMismatch',
  'BackupsOff',
  'BackupRunning',
  'BackupDamaged',
  'LimitExceeded',
  'UploadExpired',
  'AssetExpired',
  'VersionGone',
  'PreconditionFailed',
  'RangeNotSatisfiable',
  'PayloadTooLarge',
  'UriTooLong',
  'UnsupportedMediaType',
  'MisdirectedRequest',
  'UnprocessableImage',
  'UnprocessableMedia',
  'StillUnavailable',
  'Erased',
  'limit_reached',
  'InternalError',
  'Unavailable',
] as const
export type ErrorCode = (typeof errorCodes)[number]

export interface ErrorOptions {
  /** The offending field, in the caller's own spelling. */
  readonly target?: string
  readonly details?: readonly Readonly<Record<string, unknown>>[]
  /** Members the error envelope carries besides its own, e.g. `MaxSize`. */
  readonly context?: Readonly<Record<string, unknown>>
  /** For the log only. */
  readonly cause?: unknown
  /** For the log only: there is more to do than can be done, and nothing is wrong. */
  readonly isOverload?: boolean
}

/** A refusal the caller can act on. Anything else that is thrown is a bug and becomes `InternalError`. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
  readonly code: ErrorCode
  readonly target: string | undefined
  readonly details: readonly Readonly<Record<string, unknown>>[]
  readonly context: Readonly<Record<string, unknown>>
  readonly isOverload: boolean

  constructor(code: ErrorCode, message: string, options: ErrorOptions = {}) {
    super(message, { cause: options.cause })
    this.code = code
    this.target = options.target
    this.details = options.details ?? []
    this.context = options.context ?? {}
    this.isOverload = options.isOverload ?? false
  }
}

/** `why` completes the sentence that starts with the field's name: `Name must …`. */
export const invalid = (target: string, why: string, cause?: unknown) =>
  new ServiceError('InvalidParameter', `${target} ${why}`, { target, cause })

/** Of a zone that does not exist, or that whoever asks may not know of. */
export const zoneNotFound = (zone: string) =>
  new ServiceError('ZoneNotFound', `Zone "${zone}" does not exist`, { target: 'zone' })

export const zoneSuspended = (zone: string) =>
  new ServiceError('ZoneSuspended', `Zone "${zone}" is suspended and takes no writes`, {
    target: 'zone',
  })

/** There are as many of something as there may be: waiting does not help, removing one does. */
export const tooMany = (target: string, what: string, limit: number) =>
  new ServiceError('LimitExceeded', `${what}, and there may be ${limit}; remove one first`, {
    target,
    context: { Limit: limit },
  })

/**
 * What was thrown, as a refusal: what the service stands on and cannot be reached is no fault of its
 * own, whatever asked for it. `undefined` for everything else.
 */
export function asRefusal(thrown: unknown): ServiceError | undefined {
  if (thrown instanceof ServiceError) return thrown
  if (!isUnavailable(thrown)) return undefined
  return new ServiceError('Unavailable', 'The service cannot do this right now', { cause: thrown })
}
