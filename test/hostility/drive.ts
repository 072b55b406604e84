import type { Random } from '../support/random.ts'
import { textsIn } from '../support/xml-texts.ts'
import { documentedOperations } from './documented-operations.ts'
import { type GotResponse, generate, type GeneratedRequest } from './generated-requests.ts'
import { type HostileService, type HostileWorld, openHostileWorld } from './hostile-world.ts'
import type { Caller } from './hostile-values.ts'
import { faultsOfS3 } from './s3-responses.ts'
import { generateS3 } from './s3-requests.ts'

export interface Drive {
  readonly requests: number
  readonly random: Random
  /** Told after each chapter of some hundred requests. */
  readonly onChapter?: (tally: Tally) => void
}

export interface Tally {
  readonly asked: number
  readonly byStatus: ReadonlyMap<number, number>
  /** How many operations have been answered 2xx or 3xx at least once: the others were only knocked at. */
  readonly reached: number
  /** What must not be, a line each; the first hundred. */
  readonly faults: readonly string[]
}

const perChapter = 500
const atOnce = 8
/** Often enough that uploads run out of time, seldom enough that much happens in a day. */
const chaptersOfADay = 20
const dayMs = 25 * 3_600_000
const maxFaults = 100
const maxReadBytes = 2 ** 20
/** They go on until somebody hangs up. */
const endless: ReadonlySet<string> = new Set(['watchAssets', 'watchTraffic', 'followFeed'])
/** A fault of the operator's machine, or work put off: documented, and of no consequence. */
const allowed: ReadonlySet<number> = new Set([503, 507])
/** What S3 says of what is not built; no other operation documents it. */
const notImplemented = 501

/** Asks a service what its own description says may be asked, and worse, by every kind of caller. */
export async function drive(
  service: HostileService,
  { requests, random, onChapter }: Drive,
): Promise<Tally> {
  const world = await openHostileWorld(service, random)
  const seen = { asked: 0, byStatus: new Map<number, number>(), reached: new Set<string>() }
  const faults: string[] = []
  const tally = (): Tally => ({ ...seen, reached: seen.reached.size, faults })
  const note = (fault: string) => void (faults.length < maxFaults && faults.push(fault))

  async function askOne(request: GeneratedRequest): Promise<void> {
    const answer = await answerTo(service, request)
    if (answer === undefined) return
    seen.asked += 1
    if ('error' in answer) return note(`${describe(request)} threw ${answer.error}`)
    const { status } = answer
    seen.byStatus.set(status, (seen.byStatus.get(status) ?? 0) + 1)
    if (status < 400) seen.reached.add(request.operation.id)
    for (const fault of [
      ...faultsOf(request, answer, world),
      ...(request.onAnswer?.(answer) ?? []),
      ...(request.operation.id.startsWith('s3') ? await faultsOfS3(answer) : []),
    ])
      note(`${describe(request)} ${fault}`)
    learnFrom(world, request, answer)
  }

  for (let chapter = 1; seen.asked < requests; chapter += 1) {
    const until = Math.min(requests, seen.asked + perChapter)
    const askOn = async () => {
      while (seen.asked < until) await askOne(next(world, service.url, random))
    }
    await Promise.all(Array.from({ length: atOnce }, askOn))
    await service.settle?.()
    for (const loss of await world.losses()) note(`lost: ${loss}`)
    await world.mend()
    if (chapter % chaptersOfADay === 0) await world.pass(dayMs)
    onChapter?.(tally())
    if (faults.length >= maxFaults) break
  }
  return tally()
}

const operations = documentedOperations()

/** Of a hundred requests so many are of the owner, and so many of the S3 plane. */
const shares = { owner: 12, objects: 20 }

function next(world: HostileWorld, origin: string, random: Random): GeneratedRequest {
  const { callers, objectCallers, owner, now } = world
  for (;;) {
    const chance = random.integer(1, 100)
    const ofOwner = chance <= shares.owner ? owner.generate(random) : undefined
    if (ofOwner !== undefined) return ofOwner
    if (chance > 100 - shares.objects)
      return generateS3(random.pick(objectCallers), { origin, random, now })
    const made = generate(random.pick(operations), callerOf(callers, random), random)
    if (made !== undefined) return made
  }
}

/** Mostly those who may do much: what others ask ends at the door. */
const weights: Readonly<Record<string, number>> = {
  tenant: 10,
  operator: 10,
  anybody: 3,
  reader: 2,
}

function callerOf(callers: HostileWorld['callers'], random: Random): Caller {
  const weightOf = ({ name }: Caller) => weights[name] ?? 1
  let left = random.integer(
    1,
    callers.reduce((sum, caller) => sum + weightOf(caller), 0),
  )
  return callers.find((caller) => (left -= weightOf(caller)) <= 0) ?? callers[0]
}

/** `undefined` of what no client can send. */
async function answerTo(
  service: HostileService,
  { operation, method, target, body, address, ...given }: GeneratedRequest,
): Promise<GotResponse | { readonly error: string } | undefined> {
  let request: Request
  try {
    request = new Request(service.url + target, {
      method,
      headers: given.headers,
      ...(body !== undefined && { body }),
    })
  } catch {
    return undefined
  }
  const waiting = Promise.withResolvers<{ readonly error: string }>()
  const timer = setTimeout(() => waiting.resolve({ error: 'nothing in two minutes' }), patienceMs)
  try {
    return await Promise.race([gotFrom(service, { request, operation, address }), waiting.promise])
  } catch (error) {
    return { error: String(error) }
  } finally {
    clearTimeout(timer)
  }
}

/** What is not answered by then never will be: nothing that may be asked takes so long. */
const patienceMs = 120_000

async function gotFrom(
  service: HostileService,
  {
    request,
    operation,
    address,
  }: Pick<GeneratedRequest, 'operation' | 'address'> & { request: Request },
): Promise<GotResponse> {
  const response = await service.fetch(request, address)
  const { status, headers } = response
  const isStream = headers.get('Content-Type')?.startsWith('text/event-stream')
  if (endless.has(operation.id) || isStream === true) {
    await response.body?.cancel()
    return { status, headers, bytes: new Uint8Array(), text: '' }
  }
  const bytes = await beginningOf(response)
  return { status, headers, bytes, text: Buffer.from(bytes).toString('latin1') }
}

async function beginningOf(response: Response): Promise<Uint8Array> {
  const chunks: Uint8Array[] = []
  let length = 0
  for await (const chunk of response.body ?? []) {
    chunks.push(chunk)
    length += chunk.length
    if (length > maxReadBytes) break
  }
  return Buffer.concat(chunks)
}

function* faultsOf(
  { caller, operation }: GeneratedRequest,
  { status, text, headers }: GotResponse,
  { mark }: HostileWorld,
): Generator<string> {
  if (status >= 500 && status !== notImplemented && !allowed.has(status))
    yield `was answered ${status}: ${text.slice(0, 300)}`
  const { statuses } = operation
  if (!statuses.has(String(status)) && !statuses.has('default'))
    yield `was answered ${status}, which is not documented`
  if (caller.isOperator) return
  const fields = JSON.stringify([...headers])
  for (const said of [mark, Buffer.from(mark).toString('base64')])
    if (text.includes(said) || fields.includes(said)) yield `told what is of another zone alone`
}

function learnFrom(world: HostileWorld, { caller }: GeneratedRequest, { text }: GotResponse): void {
  if (caller.name === 'all of objects') learnObjects(world, text)
  if (caller.name === 'tenant') learn(world, text)
}

function learnObjects(world: HostileWorld, text: string): void {
  if (!text.startsWith('<?xml')) return
  for (const name of ['UploadId', 'VersionId', 'NextContinuationToken'])
    world.learn({ [name.replace('NextContinuationToken', 'tokenId')]: textsIn(text, name) })
}

function learn(world: HostileWorld, text: string): void {
  if (!text.startsWith('{') && !text.startsWith('[')) return
  try {
    world.learn(JSON.parse(text))
  } catch {
    // Longer than what was read of it.
  }
}

const describe = ({ caller, method, target, headers, body }: GeneratedRequest): string => {
  const own = Object.entries(headers).filter(([name]) => !(name in caller.headers))
  const said = typeof body === 'string' ? body : body === undefined ? '' : `${body.length} bytes`
  return `${caller.name}: ${method} ${target.slice(0, 500)} ${JSON.stringify(own)} ${said.slice(0, 500)}`
}
