import { ServiceError, type ErrorCode } from '../../domain/errors.ts'
import { errorResponse, rangeNotSatisfiable } from '../../http/response/envelopes.ts'
import { unsatisfiedContentRange } from '../../http/response/ranges.ts'
import { asPage, wantsPage } from '../../http/response/refusal-page.ts'
import { commonFields } from './asset-fields.ts'

export interface Refusal {
  readonly code: ErrorCode
  readonly message: string
  /** The offending field. */
  readonly target?: string
  readonly headers?: Readonly<Record<string, string>>
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
  serviceWorker: {
    code: 'Forbidden',
    message: 'A service worker cannot be taken from this host name; only from a zone’s own',
    target: 'Service-Worker',
  },
  suspended: { code: 'ZoneSuspended', message: 'The zone is suspended' },
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
  notSanitised: {
    code: 'Unavailable',
    message: 'The drawing cannot be made safe just now',
  },
} as const satisfies Readonly<Record<string, Refusal>>

/** A range of which no byte is there (RFC 9110 §15.5.17). */
export const noSuchRange = ({ sizeBytes }: { readonly sizeBytes: number }): Refusal => {
  const { code, message, target } = rangeNotSatisfiable(sizeBytes)
  return {
    code,
    message,
    ...(target !== undefined && { target }),
    headers: { 'Content-Range': unsatisfiedContentRange(sizeBytes), 'Accept-Ranges': 'bytes' },
  }
}

interface RefusedRequest {
  readonly request: Request
  readonly requestId: string
  readonly now: Date
  /** Whether the service's own pages are on the host that was asked. */
  readonly isOwnHost: boolean
}

/**
 * The standard error envelope, or a page for whoever reads it in a browser. Never stored, so that what is
 * published next is seen at once.
 */
export function refuse(
  { code, message, target, headers = {} }: Refusal,
  { request, requestId, now, isOwnHost }: RefusedRequest,
): Response {
  const error = new ServiceError(code, message, target === undefined ? {} : { target })
  const response = errorResponse(error, {
    envelope: 'standard',
    requestId,
    at: now,
    headers: { ...Object.fromEntries(commonFields), ...headers },
  })
  if (!wantsPage(request)) return response
  return asPage(response, error, { url: request.url, requestId, isOwnHost })
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu

/** The caller's own id where it is a uuid, else a new one. */
export const requestIdOf = (sent: string | null, newId: () => string): string =>
  sent !== null && uuid.test(sent) ? sent.toLowerCase() : newId()
