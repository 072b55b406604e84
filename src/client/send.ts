import { backOffMs } from '../lib/async/back-off.ts'
import { SedgeConnectionError } from './errors.ts'
import { refusalOf, retryAfterSeconds } from './refusal.ts'

/** What a client needs of the world it runs in. */
export interface Platform {
  fetch(request: Request): Promise<Response>
  /** Rejects with the signal's reason where that comes first. */
  wait(ms: number, signal: AbortSignal | undefined): Promise<void>
  /** 0..1 */
  random(): number
  /** Milliseconds since the epoch. */
  now(): number
}

export interface Sending {
  readonly url: string
  /** A new one for each try. */
  readonly init: () => RequestInit
  readonly signal: AbortSignal | undefined
  readonly retries: number
  readonly maxRetrySeconds: number
  /** Statuses of refusals that are answers all the same. */
  readonly answers: readonly number[]
}

const firstPauseMs = 500

/**
 * Sends until there is a response other than 429 and 503, or no try is left. The pause doubles each time
 * and is never shorter than the service asks for.
 */
export async function send(sending: Sending, platform: Platform): Promise<Response> {
  for (let tries = 0; ; tries += 1) {
    const response = await ask(sending, platform)
    if (response.ok || sending.answers.includes(response.status)) return response
    const pauseMs = pauseBefore(tries, response, { sending, platform })
    if (pauseMs === undefined) throw await refusalOf(response, () => platform.now())
    await response.body?.cancel()
    await platform.wait(pauseMs, sending.signal)
  }
}

async function ask({ url, init, signal }: Sending, { fetch }: Platform): Promise<Response> {
  try {
    return await fetch(new Request(url, { ...init(), ...(signal && { signal }) }))
  } catch (cause) {
    signal?.throwIfAborted()
    throw new SedgeConnectionError(`No service answers at ${new URL(url).origin}`, { cause })
  }
}

interface Trying {
  readonly sending: Sending
  readonly platform: Platform
}

function pauseBefore(
  tries: number,
  { status, headers }: Response,
  { sending, platform }: Trying,
): number | undefined {
  if ((status !== 429 && status !== 503) || tries >= sending.retries) return undefined
  const asked = retryAfterSeconds(headers, () => platform.now()) ?? 0
  if (asked > sending.maxRetrySeconds) return undefined
  const longestMs = sending.maxRetrySeconds * 1000
  const pauseMs = backOffMs(tries + 1, { firstMs: firstPauseMs, random: platform.random() })
  return Math.min(Math.max(pauseMs, asked * 1000), longestMs)
}
