import type { Actor } from '../../../domain/access/actor.ts'
import type { FileLocks } from '../../../domain/content/file-locks.ts'
import { type ErrorCode, ServiceError } from '../../../domain/errors.ts'
import { commonHeaders } from '../../../http/exchange.ts'
import { incomingRequestId } from '../../../http/request/request-id.ts'
import { toServiceError } from '../../../http/response/envelopes.ts'
import { errorTable } from '../../../http/response/error-table.ts'
import type { Log } from '../../../lib/log.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import {
  type GitRequest,
  type GitAccessDependencies,
  requireGitCredential,
} from '../git-credential.ts'
import { batchResponse, batchRequest } from './batch.ts'
import { lfsResponse, lfsType, readLfsBody } from './lfs-wire.ts'
import { repositoryUrlOf } from '../repository-url.ts'
import { requireReachedZone } from '../reached-zone.ts'
import { createLock, deleteLock, listLocks, type LockRequest, verifyLocks } from './locks.ts'
import { download, type ObjectDependencies, upload, verify } from './objects.ts'
import { zoneLocks } from './zone-locks.ts'

/** Large files and locks for `git lfs`: https://github.com/git-lfs/git-lfs/tree/main/docs/api */
export interface LfsService {
  /** Never rejects. For the URLs of `isOfLfs` alone. */
  fetch(request: Request, peerAddress: string): Promise<Response>
}

interface Dependencies extends GitAccessDependencies, ObjectDependencies {
  readonly locks: FileLocks
  readonly manifest: Pick<Manifest, 'zone'>
  readonly maxObjectBytes: number
  /** Where clients find the service; else it is where they asked. */
  readonly baseUrl: string | undefined
  readonly newId: () => string
  readonly log: Log
}

/** A request taken apart: what is asked for below `info/lfs`. */
interface Message extends GitRequest {
  readonly url: URL
  /** Whose repository it is; `undefined`: the whole one. */
  readonly zone: string | undefined
  /** Without a slash at its start. */
  readonly path: string
  /** Scheme, host and path in front of it. */
  readonly base: string
}

const lfsPath = 'info/lfs/'

export const createLfsService = (dependencies: Dependencies): LfsService => ({
  async fetch(request, peerAddress) {
    const requestId = incomingRequestId(request.headers) ?? dependencies.newId()
    const headers = commonHeaders(requestId)
    try {
      const message = messageOf({ request, peerAddress }, dependencies.baseUrl)
      const response = await answer(message, dependencies)
      for (const [name, value] of Object.entries(headers))
        if (!response.headers.has(name)) response.headers.set(name, value)
      return response
    } catch (thrown) {
      return refuse(thrown, { request, headers, log: dependencies.log })
    }
  },
})

function messageOf(asked: GitRequest, baseUrl: string | undefined): Message {
  const url = new URL(asked.request.url)
  const { zone, path: whole } = repositoryUrlOf(url.pathname)
  const path = whole.slice(lfsPath.length)
  const origin = baseUrl === undefined ? url.origin : baseUrl.replace(/\/$/u, '')
  const base = origin + url.pathname.slice(0, url.pathname.length - path.length - 1)
  return { ...asked, url, zone, path, base }
}

async function answer(message: Message, dependencies: Dependencies): Promise<Response> {
  const [noun = '', ...rest] = message.path.split('/')
  if (noun === 'locks') return await answerLocks(message, rest, dependencies)
  if (noun !== 'objects') throw nothingHere()
  const [oid = '', verb] = rest
  return oid === 'batch' && rest.length === 1
    ? await batch(message, dependencies)
    : await transfer(message, { oid, verb }, dependencies)
}

async function batch(message: Message, dependencies: Dependencies): Promise<Response> {
  const { request, base } = message
  requireMethod(request, ['POST'])
  // Who may not even read is told before the body is read.
  const reader = await callerOf(message, dependencies, 'storage:read')
  const body = await readLfsBody(request, batchRequest)
  const isUpload = body.operation === 'upload'
  const caller = isUpload ? await callerOf(message, dependencies, 'storage:write') : reader
  const { objects, grants, maxObjectBytes: maxBytes } = dependencies
  return lfsResponse(await batchResponse(body, { objects, grants, maxBytes, caller, base }))
}

/** The URL is the right to it: nobody asks for a key here. */
async function transfer(
  { request, url }: Message,
  { oid, verb }: { readonly oid: string; readonly verb: string | undefined },
  dependencies: Dependencies,
): Promise<Response> {
  const asked = { request, oid, query: url.searchParams }
  if (verb === 'verify') {
    requireMethod(request, ['POST'])
    return await verify(asked, dependencies)
  }
  if (verb !== undefined) throw nothingHere()
  requireMethod(request, ['GET', 'HEAD', 'PUT'])
  return request.method === 'PUT'
    ? await upload(asked, dependencies)
    : await download(asked, dependencies)
}

async function answerLocks(
  message: Message,
  rest: readonly string[],
  dependencies: Dependencies,
): Promise<Response> {
  const { request, url } = message
  const [id, verb] = rest
  const isListing = id === undefined && request.method === 'GET'
  requireMethod(request, id === undefined ? ['GET', 'POST'] : ['POST'])
  const scope = isListing ? 'storage:read' : 'storage:write'
  const caller = await callerOf(message, dependencies, scope)
  const asked: LockRequest = { request, query: url.searchParams, caller }
  const locks = locksOf(message, dependencies)
  if (isListing) return await listLocks(asked, locks)
  if (id === undefined) return await createLock(asked, locks)
  if (id === 'verify' && verb === undefined) return await verifyLocks(asked, locks)
  if (verb === 'unlock' && rest.length === 2) return await deleteLock(asked, id, locks)
  throw nothingHere()
}

const locksOf = ({ zone }: Message, { locks }: Dependencies): FileLocks =>
  zone === undefined ? locks : zoneLocks(locks, zone)

/** Whoever asks in the repository of a zone has to do with that zone alone. */
async function callerOf(
  message: Message,
  dependencies: Dependencies,
  scope: 'storage:read' | 'storage:write',
): Promise<Pick<Actor, 'credentialId' | 'zones'>> {
  const credential = await requireGitCredential(message, dependencies, scope)
  const zones = credential.kind === 'token' ? credential.zones : undefined
  if (message.zone === undefined) return { credentialId: credential.id, zones }
  const zone = requireReachedZone(message.zone, { zones }, dependencies.manifest)
  return { credentialId: credential.id, zones: new Set([zone.name]) }
}

const nothingHere = () => new ServiceError('NotFound', 'Git LFS knows nothing of this URL')

function requireMethod({ method }: Request, allowed: readonly string[]): void {
  if (allowed.includes(method)) return
  throw new ServiceError('MethodNotAllowed', `${method} is not possible here`, {
    context: { Allow: allowed.join(', ') },
  })
}

interface Refused {
  readonly request: Request
  readonly headers: Readonly<Record<string, string>>
  readonly log: Log
}

/** Where the statuses of Git LFS are others than ours. */
const ownStatuses: Partial<Record<ErrorCode, number>> = {
  InvalidParameter: 422,
  ChecksumMismatch: 422,
}

function refuse(thrown: unknown, { request, headers, log }: Refused): Response {
  const error = toServiceError(thrown)
  const status = ownStatuses[error.code] ?? errorTable[error.code].status
  const { method } = request
  const requestId = headers['X-Request-ID']
  const facts = { requestId, operation: 'git lfs', method, code: error.code }
  if (status >= 500 && !request.signal.aborted)
    log.error('request refused', { ...facts, error: error.cause ?? error })
  else log.debug('request refused', { ...facts, reason: error.message, error: error.cause })
  const body = JSON.stringify({ message: error.message, request_id: requestId })
  return new Response(method === 'HEAD' ? null : body, {
    status,
    headers: {
      ...headers,
      'Content-Type': lfsType,
      ...(status === 401 && {
        'LFS-Authenticate': 'Basic realm="sedge"',
        'WWW-Authenticate': 'Basic realm="sedge", charset="UTF-8"',
      }),
      ...(status === 405 && { Allow: String(error.context['Allow']) }),
      ...(status === 503 && { 'Retry-After': '5' }),
    },
  })
}
