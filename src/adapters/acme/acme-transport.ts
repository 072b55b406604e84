import type { axios } from 'acme-client'

import { faultOf, unreachable } from './acme-problem.ts'

/** What the client lets be replaced; the library it comes from is the client's own. */
type Transport = Extract<typeof axios.defaults.adapter, (config: never) => unknown>
type Answer = Awaited<ReturnType<Transport>>

interface Options {
  /** PEM of whoever signs the authority's own certificate; absent: those that everybody trusts. */
  readonly trusted: string | undefined
  /** Ends every request that is under way. */
  readonly closing: AbortSignal
  readonly now: () => Date
}

const timeoutMs = 30_000

/**
 * How the client talks to the authority. Every refusal, and every failure to get an answer, is thrown
 * as an `AuthorityError` here, where status, problem and Retry-After are still known.
 */
export const createTransport =
  ({ trusted, closing, now }: Options): Transport =>
  async (config) => {
    const answer = await ask(config.url ?? '', {
      method: (config.method ?? 'get').toUpperCase(),
      headers: config.headers.toJSON() as Record<string, string>,
      body: (config.data as string | undefined) ?? null,
      signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
      redirect: 'follow',
      ...(trusted !== undefined && { tls: { ca: trusted } }),
    })
    const { status, statusText, headers } = answer
    const response: Answer = {
      data: answer.text,
      status,
      statusText,
      headers: Object.fromEntries(headers),
      config,
    }
    const fault = faultOf({ ...response, data: parsed(answer.text) }, now())
    if (fault !== undefined) throw fault
    return response
  }

interface Received {
  readonly status: number
  readonly statusText: string
  readonly headers: Headers
  readonly text: string
}

async function ask(url: string, init: BunFetchRequestInit): Promise<Received> {
  try {
    const response = await fetch(url, init)
    const { status, statusText, headers } = response
    return { status, statusText, headers, text: await response.text() }
  } catch (error) {
    throw unreachable(error)
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
