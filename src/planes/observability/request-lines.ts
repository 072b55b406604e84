import { senderOf } from '../../domain/access/sender.ts'
import type { ObservedResponse } from '../../http/observed/observed-response.ts'
import type { RequestFactsOf } from '../../http/observed/request-facts.ts'
import type { RequestLine } from '../../ports/traffic/request-log-store.ts'
import { type Named, subjectOf } from '../delivery/count-deliveries.ts'
import type { S3Response } from '../s3/s3-service.ts'

interface Dependencies {
  readonly factsOf: RequestFactsOf
  /** `zoneOfHost` knows the host names of previews, too. */
  readonly manifest: Named
  readonly countryOf: (request: Request, peerAddress: string) => string
  /** Whether the service's own pages asked, for whoever looks after it. */
  readonly isOwn: (request: Request) => boolean
  /** What people call a credential. */
  readonly nameOf: (credentialId: string) => string | undefined
  readonly now: () => Date
}

/** A request to what is no operation and speaks another protocol. */
export interface OtherResponse {
  readonly request: Request
  readonly response: Response
  readonly peerAddress: string
  readonly milliseconds: number
  readonly operation: string
  readonly zone: string
}

/** Lines of the request log of what is not delivered by the edge. */
export function createRequestLines(dependencies: Dependencies) {
  const { factsOf, countryOf, isOwn, nameOf, now } = dependencies

  const baseOf = (answered: Answered) => ({
    at: now().getTime(),
    ...factsOf(answered.request, answered.peerAddress),
    status: answered.response.status,
    ms: Math.round(answered.milliseconds * 100) / 100,
    bytes: answered.bodyBytes ?? announcedBytes(answered),
    country: countryOf(answered.request, answered.peerAddress),
  })

  return {
    ofOperation(answered: ObservedResponse): RequestLine {
      const { operation, found, request, response } = answered
      const cache = cacheOf(response)
      const by = found?.credential && senderOf(found.credential.id, nameOf)
      return {
        ...baseOf(answered),
        ...placeOf(answered, dependencies),
        ...(cache && { cache }),
        ...(by && { by }),
        ...(by === undefined && isOwn(request) && { by: ofDashboard }),
        ...(operation && { operation: operation.id }),
        ...(found && { requestId: found.requestId }),
        ...reasonOf(found?.refusal),
      }
    },
    ofS3(answered: S3Response): RequestLine {
      const { zone = '', credentialId = '', operation, requestId, refusal } = answered
      const by = senderOf(credentialId, nameOf)
      return {
        ...baseOf(answered),
        zone: zone.slice(0, maxZoneLength),
        ...(by && { by }),
        ...(operation !== undefined && { operation: `s3 ${operation}` }),
        requestId,
        ...reasonOf(refusal),
      }
    },
    ofOther(answered: OtherResponse): RequestLine {
      const { zone, operation, response } = answered
      const requestId = response.headers.get('x-request-id')
      return {
        ...baseOf(answered),
        zone,
        operation,
        ...(requestId !== null && { requestId }),
      }
    },
  }
}

interface Answered {
  readonly request: Request
  readonly response: Response
  readonly peerAddress: string
  readonly milliseconds: number
  readonly bodyBytes?: number
}

const ofDashboard = { kind: 'session', id: 'session', name: 'dashboard' } as const
const maxZoneLength = 64
const maxReasonLength = 300

/** Deliveries are about what they are counted for; all else about the zone that its URL names. */
function placeOf(
  answered: ObservedResponse,
  { manifest }: Pick<Dependencies, 'manifest'>,
): Pick<RequestLine, 'zone' | 'asset'> {
  if (answered.operation?.plane === 'delivery' && answered.operation.method === 'get') {
    const { zone, path } = subjectOf(answered, manifest)
    return { zone, ...(path !== '' && { asset: path }) }
  }
  const { asset, found } = answered
  return { zone: found?.zone ?? '', ...(asset !== undefined && { asset }) }
}

/** RFC 9211 §2.1. */
function cacheOf({ headers }: Response): RequestLine['cache'] {
  const status = headers.get('cache-status')
  if (status === null) return undefined
  return /;\s*hit\b/u.test(status) ? 'hit' : 'miss'
}

const reasonOf = (refusal: { readonly code: string; readonly message: string } | undefined) =>
  refusal && { code: refusal.code, reason: refusal.message.slice(0, maxReasonLength) }

const announcedBytes = ({ request, response }: Answered): number =>
  request.method === 'HEAD' ? 0 : Number(response.headers.get('content-length') ?? 0)
