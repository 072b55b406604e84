import { heavyFiles, type HeavyRequest, heavyRequests } from '../fixtures/heavy-requests.ts'
import { access, account, startService, temporaryDirectory } from './service-process.ts'
import { openStallProbe } from './stall-probe.ts'

export interface Stall {
  readonly name: string
  readonly milliseconds: number
}

export interface Stalls {
  readonly requests: number
  /** How long the service takes to answer while nobody asks anything else, at worst. */
  readonly idleMs: number
  /** By how long others waited, longest first. */
  readonly worst: readonly Stall[]
}

interface Options {
  /** Which of all heavy requests. */
  readonly choose?: (requests: readonly HeavyRequest[]) => readonly HeavyRequest[]
  /** A stall from here on is looked at again: a busy machine stalls everybody now and then. */
  readonly suspectMs: number
}

const zone = 'heavy'
const tries = 4
const timeoutMs = 60_000

/**
 * How long an anonymous request, whichever it is, keeps `/api/health` and a hot asset from being
 * answered. One after another; the shortest of several tries counts.
 */
export async function measureStalls({
  choose = (requests) => requests,
  suspectMs,
}: Options): Promise<Stalls> {
  await using directory = await temporaryDirectory()
  await using service = await startService({
    dataDirectory: directory.path,
    // Every request comes from somebody else, so that no limit spares the service the work.
    environment: { TRUSTED_PROXIES: '127.0.0.1', LOG_LEVEL: 'error' },
  })
  const { url } = service
  const files = await heavyFiles()
  await consume(
    await fetch(`${url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name: zone }),
    }),
  )
  for (const { path, bytes } of files)
    await consume(
      await fetch(`${url}/api/storage/${zone}/v1/${encodeURI(path)}`, {
        method: 'PUT',
        headers: access,
        body: bytes as Uint8Array<ArrayBuffer>,
      }),
    )
  let callers = 0
  const send = async ({ method, target, headers, body }: HeavyRequest): Promise<void> => {
    callers += 1
    const from = `198.${(callers >> 16) & 255}.${(callers >> 8) & 255}.${callers & 255}`
    await fetch(url + target, {
      method,
      headers: { ...headers, 'X-Forwarded-For': from },
      ...(body !== undefined && { body }),
      signal: AbortSignal.timeout(timeoutMs),
      redirect: 'manual',
    })
      .then(consume)
      .catch(() => undefined)
  }
  using probe = openStallProbe([`${url}/api/health`, `${url}/${zone}/v1/icons/a.css`])
  await Bun.sleep(2_000)
  const idleMs = await probe.during(() => Bun.sleep(1_000))
  const all = choose(heavyRequests(files, zone))
  const worst: Stall[] = []
  for (const request of all) {
    let milliseconds = Infinity
    for (let turn = 0; turn < tries && milliseconds > suspectMs; turn += 1)
      milliseconds = Math.min(milliseconds, await probe.during(() => send(request)))
    worst.push({ name: request.name, milliseconds })
  }
  return {
    requests: all.length,
    idleMs,
    worst: worst.toSorted((a, b) => b.milliseconds - a.milliseconds).slice(0, 20),
  }
}

const consume = async (response: Response): Promise<void> => void (await response.arrayBuffer())
