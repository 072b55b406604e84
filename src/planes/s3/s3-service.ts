import { reaches } from '../../domain/access/actor.ts'
import { clientAddress, forwardedHost } from '../../http/request/client-address.ts'
import { incomingRequestId } from '../../http/request/request-id.ts'
import type { Log } from '../../lib/log.ts'
import type { AddressList } from '../../lib/net/address-list.ts'
import type { S3Cors } from './cors/s3-cors.ts'
import { operationFinder } from './find-operation.ts'
import { type S3Error, S3Error as Refusal, toS3Error } from './s3-error.ts'
import { operationOfPreview, previewedPath, type S3Preview } from './s3-preview.ts'
import { readS3Path, type S3Place } from './s3-path.ts'
import type { S3Operation, S3Request } from './s3-request.ts'
import type { S3Authenticate } from './signature/authenticate.ts'
import { xmlErrorDocument } from './xml/write-xml.ts'
import { xmlFields } from './xml/xml-response.ts'

/** The zones as buckets, for clients of S3. */
export interface S3Service {
  /** Never rejects. */
  fetch(request: Request, peerAddress: string): Promise<Response>
}

interface Dependencies extends S3Place {
  readonly operations: readonly S3Operation[]
  readonly authenticate: S3Authenticate
  readonly cors: S3Cors
  readonly zoneExists: (name: string) => boolean
  readonly ofPreview: S3Preview
  readonly trustedProxies: AddressList
  readonly newId: () => string
  readonly log: Log
  /** Told of every response before it is sent. Must not throw. */
  readonly onResponse?: (observed: S3Response) => void
}

export interface S3Response {
  readonly request: Request
  readonly response: Response
  readonly peerAddress: string
  readonly requestId: string
  readonly milliseconds: number
  /** As far as it was found out. */
  readonly operation?: string
  readonly zone?: string
  /** The id of the credential; `anonymous` for none. */
  readonly credentialId?: string
  readonly refusal?: S3Error
}

export const createS3Service = ({ operations, ...given }: Dependencies): S3Service => {
  const dependencies = { ...given, find: operationFinder(operations) }
  return {
    async fetch(request, peerAddress) {
      const requestId = incomingRequestId(request.headers) ?? dependencies.newId()
      const headers = commonHeaders(requestId)
      const start = performance.now()
      const learnt: Learnt = {}
      const found = await respond({ request, peerAddress, requestId, learnt }, dependencies).catch(
        (thrown: unknown) => {
          const refusal = toS3Error(thrown)
          learnt.refusal = refusal
          logRefusal(refusal, { request, requestId }, dependencies.log)
          return errorResponse(refusal, { request, requestId, headers })
        },
      )
      given.onResponse?.({
        request,
        response: found,
        peerAddress,
        requestId,
        milliseconds: performance.now() - start,
        ...learnt,
      })
      for (const [name, value] of Object.entries(headers))
        if (!found.headers.has(name)) found.headers.set(name, value)
      return request.headers.has('origin') ? await opened(found, request, dependencies) : found
    },
  }
}

/** For pages of other origins: they may read what was responded, refusals too, as the bucket's rules say. */
async function opened(
  response: Response,
  request: Request,
  { cors, s3Host, log }: Responding,
): Promise<Response> {
  try {
    const { bucket } = readS3Path(new URL(request.url), { s3Host })
    if (bucket !== undefined && request.method !== 'OPTIONS')
      await cors.addFields(response.headers, request, bucket)
  } catch (error) {
    log.debug('a response stays closed to other origins', { error })
  }
  return response
}

interface Arrived {
  readonly request: Request
  readonly peerAddress: string
  readonly requestId: string
  readonly learnt: Learnt
}

/** What is found out about a request on the way to its response. */
interface Learnt {
  operation?: string
  zone?: string
  credentialId?: string
  refusal?: S3Error
}

interface Responding extends Omit<Dependencies, 'operations'> {
  readonly find: ReturnType<typeof operationFinder>
}

async function respond(arrived: Arrived, dependencies: Responding): Promise<Response> {
  const { request, peerAddress, requestId, learnt } = arrived
  const url = new URL(request.url)
  const query = url.searchParams
  const { preview, ...path } = previewedPath(
    readS3Path(url, dependencies),
    request.headers,
    dependencies.zoneExists,
  )
  if (path.bucket !== undefined) learnt.zone = path.bucket
  if (request.method === 'OPTIONS') return await dependencies.cors.preflight(request, path.bucket)
  const operation = dependencies.find({ request, query, ...path })
  learnt.operation = operation.name
  const presented = {
    request,
    url,
    requestId,
    clientAddress: clientAddress(request.headers, peerAddress, dependencies.trustedProxies),
    forwardedHost: forwardedHost(request.headers, peerAddress, dependencies.trustedProxies),
  }
  const authenticated = await dependencies.authenticate(presented)
  learnt.credentialId = authenticated.caller.actor.credentialId
  const asked: S3Request = { request, url, query, requestId, ...path, ...authenticated }
  requireAccess(operation, asked)
  if (preview === undefined) return await operation.handle(asked)
  requireAccess({ ...operation, isPublic: undefined }, asked)
  const { ofPreview: open } = dependencies
  const ofPreview = await operationOfPreview(operation, asked, { preview, open })
  return await ofPreview.handle(asked)
}

/** Whether the zone exists is for nobody to know who does not reach it. */
function requireAccess(
  operation: Omit<S3Operation, 'isPublic'> & { readonly isPublic?: true | undefined },
  { caller, bucket }: S3Request,
): void {
  const { scope, orScope = scope, isPublic } = operation
  const hasScope = caller.scopes.has(scope) || caller.scopes.has(orScope)
  const isOpen = caller.isAnonymous ? isPublic === true : hasScope
  const isInReach = bucket === undefined || reaches(caller.actor, bucket)
  if (!isOpen || !isInReach) throw new Refusal('AccessDenied', 'Access Denied')
}

const commonHeaders = (requestId: string): Readonly<Record<string, string>> => ({
  'x-amz-request-id': requestId,
  'X-Request-ID': requestId,
  'X-Content-Type-Options': 'nosniff',
})

interface Refused {
  readonly request: Request
  readonly requestId: string
  readonly headers?: Readonly<Record<string, string>>
}

function errorResponse(refusal: S3Error, { request, requestId, headers }: Refused): Response {
  const document = xmlErrorDocument({
    Code: refusal.code,
    Message: refusal.message,
    ...refusal.elements,
    Resource: new URL(request.url).pathname,
    RequestId: requestId,
    HostId: 'sedge',
  })
  return new Response(request.method === 'HEAD' ? null : document, {
    status: refusal.status,
    headers: { ...headers, ...xmlFields, ...refusal.headers },
  })
}

function logRefusal(refusal: S3Error, { request, requestId }: Refused, log: Log): void {
  const facts = { requestId, operation: 's3', method: request.method, code: refusal.code }
  const isFault = refusal.status >= 500 && refusal.code !== 'NotImplemented'
  if (isFault && !request.signal.aborted)
    log.error('request refused', { ...facts, error: refusal.cause ?? refusal })
  else log.debug('request refused', { ...facts, reason: refusal.message })
}
