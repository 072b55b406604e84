import type { Clones } from '../../domain/content/clones.ts'
import { ServiceError } from '../../domain/errors.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../ports/records/zone.ts'
import { toServiceError } from '../../http/response/envelopes.ts'
import { errorTable } from '../../http/response/error-table.ts'
import { commonHeaders } from '../../http/exchange.ts'
import { readRateLimitState } from '../../http/response/rate-limit-fields.ts'
import { incomingRequestId } from '../../http/request/request-id.ts'
import type { Log } from '../../lib/log.ts'
import {
  type GitRequest,
  type GitAccessDependencies,
  requireGitCredential,
} from './git-credential.ts'
import type { PushService } from './push/push-service.ts'
import { readRequestBody } from './request-body.ts'
import { repositoryUrlOf } from './repository-url.ts'
import { requireReachedZone } from './reached-zone.ts'

/**
 * Where git finds the repository: `git clone http://x:<access key>@<host>/git/`, and below it that of
 * each zone: `/git/<zone>.git`.
 */
export interface CloneService {
  /** Never rejects. For the addresses of {@link isOfClones} alone. */
  fetch(request: Request, peerAddress: string): Promise<Response>
}

/** Git's smart protocol over HTTP (gitprotocol-http). No operations: nothing but git speaks it. */
const advertisementPath = 'info/refs'

interface Dependencies extends GitAccessDependencies {
  readonly clones: Clones
  readonly pushes: PushService
  readonly manifest: Pick<Manifest, 'zone'>
  readonly newId: () => string
  readonly log: Log
}

export const createCloneService = (dependencies: Dependencies): CloneService => ({
  async fetch(request, peerAddress) {
    const requestId = incomingRequestId(request.headers) ?? dependencies.newId()
    const headers = commonHeaders(requestId)
    try {
      const response = await answer({ request, peerAddress }, requestId, dependencies)
      for (const [name, value] of Object.entries(headers)) response.headers.set(name, value)
      return response
    } catch (thrown) {
      return refuse(thrown, { request, headers, log: dependencies.log })
    }
  },
})

async function answer(
  asked: GitRequest,
  requestId: string,
  dependencies: Dependencies,
): Promise<Response> {
  const { request } = asked
  const { pathname, searchParams } = new URL(request.url)
  const { zone: name, path } = repositoryUrlOf(pathname)
  const isAdvertisement = path === advertisementPath
  const service = isAdvertisement ? searchParams.get('service') : path
  requireMethod(request, isAdvertisement ? ['GET', 'HEAD'] : ['POST'])
  if (service === 'git-receive-pack') return await dependencies.pushes.respond(asked, requestId)
  requireReading(service)
  const zone = await requireReader(asked, name, dependencies)
  const contentType = `application/x-git-upload-pack-${isAdvertisement ? 'advertisement' : 'result'}`
  const responseHeaders = { 'Content-Type': contentType }
  if (request.method === 'HEAD') return new Response(null, { headers: responseHeaders })
  const body = isAdvertisement ? undefined : await readRequestBody(request)
  const protocol = request.headers.get('git-protocol') ?? undefined
  const exchange = { protocol, signal: request.signal }
  const stream = await dependencies.clones.open(exchange, { request: body, zone })
  return new Response(stream, { headers: responseHeaders })
}

function requireReading(service: string | null): void {
  if (service === 'git-upload-pack') return
  throw new ServiceError(
    'Forbidden',
    'only the smart protocol is spoken here: service must be git-upload-pack or git-receive-pack',
  )
}

function requireMethod({ method }: Request, allowed: readonly string[]): void {
  if (allowed.includes(method)) return
  throw new ServiceError('MethodNotAllowed', `${method} is not possible here`, {
    context: { Allow: allowed.join(', ') },
  })
}

/** The zone whose repository is asked for; `undefined` where it is the whole one. */
async function requireReader(
  asked: GitRequest,
  zone: string | undefined,
  dependencies: Dependencies,
): Promise<ZoneRecord | undefined> {
  const credential = await requireGitCredential(asked, dependencies, 'storage:read')
  const zones = credential.kind === 'token' ? credential.zones : undefined
  if (zone !== undefined) return requireReachedZone(zone, { zones }, dependencies.manifest)
  if (zones !== undefined)
    throw new ServiceError(
      'InsufficientScope',
      'a token for some zones cannot clone what all share: clone its zone from /git/<zone>.git',
    )
  return undefined
}

interface Refused {
  readonly request: Request
  readonly headers: Readonly<Record<string, string>>
  readonly log: Log
}

/** In plain text, which git shows to who is cloning. */
function refuse(thrown: unknown, { request, headers, log }: Refused): Response {
  const error = toServiceError(thrown)
  const { status } = errorTable[error.code]
  const { method } = request
  const facts = { requestId: headers['X-Request-ID'], operation: 'git', method, code: error.code }
  if (status >= 500 && !request.signal.aborted)
    log.error('request refused', { ...facts, error: error.cause ?? error })
  else log.debug('request refused', { ...facts, reason: error.message, error: error.cause })
  return new Response(method === 'HEAD' ? null : `${error.message}\n`, {
    status,
    headers: {
      ...headers,
      'Content-Type': 'text/plain; charset=utf-8',
      ...(status === 401 && { 'WWW-Authenticate': 'Basic realm="sedge", charset="UTF-8"' }),
      ...(status === 405 && { Allow: String(error.context['Allow']) }),
      ...(status === 503 && { 'Retry-After': '5' }),
      ...(status === 429 && {
        'Retry-After': String(readRateLimitState(error.context['limit']).resetSeconds),
      }),
    },
  })
}
