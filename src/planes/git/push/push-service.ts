import { zoneDirectory } from '../../../domain/content/zone-settings.ts'
import type { Pushes, PushOutcome } from '../../../domain/pushes/pushes.ts'
import type { Pusher } from '../../../domain/pushes/pusher.ts'
import { ServiceError } from '../../../domain/errors.ts'
import { authorize, type Credential } from '../../../http/access/authorize.ts'
import { readableStreamOf } from '../../../lib/bytes/byte-streams.ts'
import type { Log } from '../../../lib/log.ts'
import type { WantedPreview } from '../../../domain/pushes/preview-push.ts'
import type { PreviewKey } from '../../../ports/records/preview.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { ZoneRecord } from '../../../ports/records/zone.ts'
import { baseUrlOf } from '../../caller.ts'
import {
  type GitAccessDependencies,
  type GitCaller,
  gitCaller,
  type GitRequest,
} from '../git-credential.ts'
import { requireReachedZone } from '../reached-zone.ts'
import { repositoryUrlOf } from '../repository-url.ts'
import { PacketReader } from './packet-reader.ts'
import { pushAdvertisement, type PushReport, reportWriter } from './push-report.ts'
import { type PushRequest, readPushRequest, type RefCommand } from './push-request.ts'
import { readPushBody } from './push-body.ts'
import { createPushTalk, type PushTalk } from './push-talk.ts'
import { progressOf } from './push-words.ts'

/** Speaks git's protocol with those who push. */
export interface PushService {
  /** The response, or a `ServiceError` that is not git's to say. */
  respond(asked: GitRequest, requestId: string): Promise<Response>
}

/** What a push is counted against: the network, and the zones that a token is narrowed to. */
export interface PushPayer {
  readonly address: string
  readonly zones: readonly string[]
}

/** How much may be pushed. Each throws `limit_reached` where it is too much, or `Unavailable`. */
export interface PushBounds {
  /** Before anything is sent. */
  requireLeft(payer: PushPayer): void
  /** Before a pack comes in. Disposing what it answers makes room for the next. */
  enter(payer: PushPayer): Promise<Disposable>
  /** Once the pack is here. */
  note(payer: PushPayer, sizeBytes: number): void
}

export interface PushDependencies extends GitAccessDependencies {
  /** Those to the repository of a zone, or to the whole one. */
  readonly pushesTo: (zone: ZoneRecord | undefined) => Promise<Pushes>
  readonly manifest: Pick<Manifest, 'zone'>
  readonly bounds: PushBounds
  readonly baseUrl: string | undefined
  readonly version: string
  readonly monotonicMs: () => number
  readonly log: Log
}

const branch = 'refs/heads/main'

export const createPushService = (dependencies: PushDependencies): PushService => ({
  async respond(asked, requestId) {
    const { request } = asked
    const caller = await gitCaller(asked, dependencies, 'storage:write')
    const zone = zoneOf(request, caller, dependencies)
    const payer = payerOf(caller, zone)
    dependencies.bounds.requireLeft(payer)
    const pushes = await dependencies.pushesTo(zone)
    const root = zone === undefined ? '' : `${zoneDirectory(zone.name)}/`
    return request.method === 'POST'
      ? await receive(
          { request, caller, payer, requestId, pushes, root, zone: zone?.name },
          dependencies,
        )
      : await advertise(request, { ...dependencies, pushes, isClosed: zone !== undefined })
  },
})

/** The zone to whose repository it goes; `undefined` where it is the whole one. */
function zoneOf(
  request: Request,
  { credential }: GitCaller,
  { manifest }: PushDependencies,
): ZoneRecord | undefined {
  const { zone } = repositoryUrlOf(new URL(request.url).pathname)
  const zones = credential.kind === 'token' ? credential.zones : undefined
  return zone === undefined ? undefined : requireReachedZone(zone, { zones }, manifest)
}

/** The operator's keys are counted by their network alone. */
const payerOf = ({ credential, address }: GitCaller, zone: ZoneRecord | undefined): PushPayer => {
  if (credential.kind !== 'token' || credential.zones === undefined) return { address, zones: [] }
  return { address, zones: zone === undefined ? [...credential.zones] : [zone.name] }
}

interface Advertised extends PushDependencies {
  readonly pushes: Pushes
  /** Whether a pack has to have all that its objects are made from. */
  readonly isClosed: boolean
}

async function advertise(request: Request, { pushes, version, isClosed }: Advertised) {
  const isVersionOne = /(?:^|:)version=1(?::|$)/u.test(request.headers.get('git-protocol') ?? '')
  const id = await pushes.head()
  const refs = id === undefined ? [] : [{ ref: branch, id }]
  const body = pushAdvertisement(refs, { version, isVersionOne, isClosed })
  const headers = { 'Content-Type': 'application/x-git-receive-pack-advertisement' }
  return new Response(request.method === 'HEAD' ? null : body, { headers })
}

interface Received {
  readonly pushes: Pushes
  /** What stands before the paths that who pushes knows; empty in the whole repository. */
  readonly root: string
  /** Whose repository it is; `undefined` of the whole one. */
  readonly zone: string | undefined
  readonly request: Request
  readonly caller: GitCaller
  readonly payer: PushPayer
  readonly requestId: string
}

const resultHeaders = { 'Content-Type': 'application/x-git-receive-pack-result' }

async function receive(received: Received, dependencies: PushDependencies): Promise<Response> {
  const { request, payer, pushes } = received
  const { bounds, monotonicMs } = dependencies
  const packets = new PacketReader(readPushBody(request, monotonicMs))
  const pushed = await readPushRequest(packets)
  if (pushed === undefined) return new Response(null, { headers: resultHeaders })
  await using opening = new AsyncDisposableStack()
  opening.use(await bounds.enter(payer))
  const refusal = refusalOf(pushed)
  // Clients send all they have before they read: what is refused is read to its end as well.
  const pack = opening.use(await pushes.store(packets.rest()))
  bounds.note(payer, pack.sizeBytes)
  const work = { ...received, pushed, refusal, pack, closing: opening.move() }
  const writer = reportWriter(pushed.capabilities)
  const said = startWork(work, dependencies).written(writer)
  return new Response(readableStreamOf(said), { headers: resultHeaders })
}

/** Why nothing of a push is possible, by its head alone. */
function refusalOf({
  commands,
  isTooLong,
  options,
  capabilities,
}: PushRequest): string | undefined {
  if (isTooLong) return 'a push names 100 refs at most'
  const [option, another] = options
  if (another !== undefined) return 'there is one push option at most'
  if (option !== undefined && !previewPattern.test(option)) return optionFault(option)
  const isWhole = commands.every((command) => faultOf(command) === undefined)
  if (capabilities.has('atomic') && !isWhole) return 'one of the refs cannot be pushed to'
  return commands.some((command) => faultOf(command) === undefined) ? undefined : 'no such branch'
}

const previewPattern = /^preview=(?:(?<zone>[a-z0-9-]{2,64})\/)?(?<name>[a-z0-9-]{1,40})$/u

const optionFault = (option: string): string =>
  option.startsWith('preview=')
    ? 'a preview is named by -o preview=<name> or -o preview=<zone>/<name>'
    : `there is no push option ${JSON.stringify(option.slice(0, 50))}`

/** The preview that is pushed to, in a repository of a zone one of that. */
function previewOf({ options }: PushRequest, zone: string | undefined): WantedPreview | undefined {
  const { zone: named, name } = previewPattern.exec(options[0] ?? '')?.groups ?? {}
  return name === undefined ? undefined : { zone: named ?? zone, name }
}

function faultOf({ ref, newId }: RefCommand): string | undefined {
  if (ref !== branch) return `only ${branch} can be pushed to`
  return newId === undefined ? 'the branch cannot be deleted' : undefined
}

interface Work extends Received {
  readonly pushed: PushRequest
  readonly refusal: string | undefined
  readonly pack: Awaited<ReturnType<Pushes['store']>>
  readonly closing: AsyncDisposableStack
}

/** Works on the push, whether anybody listens or not, and says how far it is. */
function startWork(work: Work, dependencies: PushDependencies): PushTalk {
  const talk = createPushTalk()
  const finish = async (): Promise<void> => {
    const report = await reportOf(work, dependencies, (line) => talk.say(line))
    await work.closing.disposeAsync()
    talk.end(report)
  }
  void finish()
  return talk
}

/** Never rejects. */
async function reportOf(
  { pushed, refusal, pack, pushes, root, zone, caller, request, requestId }: Work,
  { baseUrl, log }: PushDependencies,
  say: (line: string) => void,
): Promise<PushReport> {
  const { commands } = pushed
  const update = commands.find((command) => faultOf(command) === undefined)
  if (refusal !== undefined || update?.newId === undefined)
    return { refs: commands.map((each) => ({ ref: each.ref, fault: faultOf(each) ?? refusal })) }
  const outcome = await pushes
    .take({
      update: { formerId: update.formerId, newId: update.newId },
      pack,
      preview: previewOf(pushed, zone),
      pusher: pusherOf(caller, { request, requestId }),
      signal: request.signal,
      onProgress: say,
    })
    .catch((error: unknown): PushOutcome => {
      const fact = { requestId, operation: 'git push' }
      if (request.signal.aborted) log.debug('a push broke off', { ...fact, error })
      else log.error('a push failed', { ...fact, error })
      return { kind: 'refused', reason: 'the service cannot take it right now', refusals: [] }
    })
  for (const line of progressOf(outcome, { baseUrl: baseUrlOf(request, baseUrl), root })) say(line)
  const fault = outcome.kind === 'published' ? undefined : outcome.reason
  return {
    unpackFault: outcome.kind === 'unfit' ? outcome.reason : undefined,
    refs: commands.map((each) => ({
      ref: each.ref,
      fault: faultOf(each) ?? fault,
      ...(outcome.kind === 'published' && outcome.preview && landedIn(outcome.preview)),
    })),
  }
}

const landedIn = ({ zone, name }: PreviewKey) => ({
  landedRef: `refs/heads/preview/${zone}/${name}`,
})

function pusherOf(
  { credential, found, address }: GitCaller,
  { request, requestId }: { readonly request: Request; readonly requestId: string },
): Pusher {
  return {
    credentialId: credential.id,
    zones: credential.kind === 'token' ? credential.zones : undefined,
    ip: address,
    userAgent: request.headers.get('user-agent') ?? undefined,
    requestId,
    mayChangeRules: opens('rules:write', credential, found),
    mayChangeZones: opens('zones:write', credential, found),
  }
}

/** A token is what it says; a key may be the account's as well. */
function opens(scope: string, credential: Credential, found: readonly Credential[]): boolean {
  try {
    const given = credential.kind === 'token' ? [credential] : found
    return authorize({ keys: ['account'], scope }, given) !== undefined
  } catch (error) {
    if (error instanceof ServiceError) return false
    throw error
  }
}
