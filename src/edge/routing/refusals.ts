import { previewNotShown } from '../../domain/content/previews/shown-preview.ts'
import type { ErrorCode } from '../../domain/errors.ts'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  /** The offending field. */
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
  /** As of a `ServiceError`. */
  readonly context?: Readonly<Record<string, unknown>>
}

export const allowedMethods = 'GET, HEAD, OPTIONS'

export const refusals = {
  badHost: {
    code: 'InvalidParameter',
    message: 'Host must be one valid host name',
    target: 'Host',
  },
  malformedPath: {
    code: 'InvalidParameter',
    message: 'path must be percent-encoded UTF-8 without . and .. segments',
    target: 'path',
  },
  unknownHost: { code: 'AssetNotFound', message: 'There is nothing at this host name' },
  notFound: { code: 'AssetNotFound', message: 'There is no asset at this address' },
  ambiguousCommit: {
    code: 'InvalidParameter',
    message: 'path names several commits: write more digits of the one that is meant',
    target: 'path',
  },
  malformedMoment: {
    code: 'InvalidParameter',
    message: 'at must be a moment as RFC 3339 writes it, such as 2026-01-31T12:00:00Z',
    target: 'at',
  },
  previewNotShown: { code: 'PreviewNotFound', message: previewNotShown },
  expired: {
    code: 'AssetExpired',
    message: 'The time of the asset at this address is over',
  },
  letGo: {
    code: 'VersionGone',
    message: 'What was at this address is older than what its zone keeps',
  },
  erased: {
    code: 'Erased',
    message: 'What was at this address was erased for good',
  },
  serviceWorker: {
    code: 'Forbidden',
    message: 'A service worker cannot be taken from this host name; only from a zone’s own',
    target: 'Service-Worker',
  },
  suspended: { code: 'ZoneSuspended', message: 'The zone is suspended' },
  usedUp: {
    code: 'limit_reached',
    message: 'The zone has used up what it may deliver this month',
    headers: { 'Retry-After': '3600' },
  },
  methodNotAllowed: {
    code: 'MethodNotAllowed',
    message: `method must be one of ${allowedMethods}`,
    headers: { Allow: allowedMethods },
  },
  notAcceptable: {
    code: 'NotAcceptable',
    message: 'Accept-Encoding must allow identity or one of br, zstd and gzip',
    target: 'Accept-Encoding',
  },
  preconditionFailed: {
    code: 'PreconditionFailed',
    message: 'The asset is not in the state that the request asks for',
  },
  bytesMissing: {
    code: 'Unavailable',
    message: 'The bytes of the asset cannot be read just now',
  },
  pastMissing: {
    code: 'Unavailable',
    message: 'What the commit has cannot be looked up just now',
  },
  notSanitised: {
    code: 'Unavailable',
    message: 'The SVG cannot be made safe just now',
  },
} as const satisfies Readonly<Record<string, Refusal>>
