import { type AcmeResponse, faultOf, unreachable } from './acme-problem.ts'

interface Options {
  /** PEM of whoever signs the authority's own certificate; absent: those that everybody trusts. */
  readonly trusted: string | undefined
  /** Ends every request that is under way. */
  readonly closing: AbortSignal
  readonly now: () => Date
}

/** Sends one request; `body` is a signed one (RFC 8555 §6.2). `data` is JSON where it is any, else text. */
export type AcmeTransport = (
  url: string,
  request?: { readonly method?: 'HEAD' | 'POST'; readonly body?: string },
) => Promise<AcmeResponse>

const timeoutMs = 30_000

/**
 * How an authority is spoken to. Every refusal, and every failure to get an answer, is thrown as an
 * `AuthorityError` here, where status, problem and Retry-After are known.
 */
export const createTransport =
  ({ trusted, closing, now }: Options): AcmeTransport =>
  async (url, { method = 'GET', body } = {}) => {
    const answer = await ask(url, {
      method,
      headers: {
        'User-Agent': 'sedge',
        ...(body !== undefined && { 'Content-Type': 'application/jose+json' }),
      },
      body: body ?? null,
      signal: AbortSignal.any([closing, AbortSignal.timeout(timeoutMs)]),
      redirect: 'follow',
      ...(trusted !== undefined && { tls: { ca: trusted } }),
    })
    const fault = faultOf(answer, now())
    if (fault !== undefined) throw fault
    return answer
  }

async function ask(url: string, init: BunFetchRequestInit): Promise<AcmeResponse> {
  try {
    const response = await fetch(url, init)
    const headers = Object.fromEntries(response.headers)
    return { status: response.status, headers, data: parsed(await response.text()) }
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
