import type { Secret } from '../../lib/secrets/secret.ts'

/** A server that speaks the OpenAI API, e.g. Ollama, vLLM, llama.cpp or LM Studio. */
export interface Endpoint {
  /** With or without `/v1` at its end. */
  readonly baseUrl: string
  readonly model: string
  readonly apiKey?: Secret | undefined
}

/** The body as text. Rejects with a {@link TooLongError} where it is longer, and reads no more of it. */
export async function readBounded(response: Response, maxBytes: number): Promise<string> {
  const chunks: Uint8Array[] = []
  let sizeBytes = 0
  for await (const chunk of response.body ?? new Blob([]).stream()) {
    sizeBytes += chunk.length
    if (sizeBytes > maxBytes)
      throw new TooLongError(`the endpoint sent more than ${maxBytes} bytes`)
    chunks.push(chunk)
  }
  return new TextDecoder().decode(Buffer.concat(chunks))
}

/** The endpoint sent more than anybody would want. */
export class TooLongError extends Error {
  override readonly name = 'TooLongError'
}

/** Posts JSON to `path` below the endpoint's URL. Rejects with an {@link EndpointRefusedError} where the answer is no success. */
export async function postJson(
  { baseUrl, apiKey }: Endpoint,
  path: string,
  { body, signal }: { readonly body: unknown; readonly signal: AbortSignal },
): Promise<Response> {
  const base = new URL(baseUrl).pathname === '/' ? new URL('/v1', baseUrl).href : baseUrl
  const response = await fetch(`${base.replace(/(?<!\/)\/+$/u, '')}${path}`, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      ...(apiKey && { Authorization: `Bearer ${apiKey.reveal()}` }),
    },
    body: JSON.stringify(body),
    redirect: 'error',
    signal,
  })
  if (response.ok) return response
  await response.body?.cancel()
  throw new EndpointRefusedError(response)
}

/** The endpoint answered, and not with a success. */
export class EndpointRefusedError extends Error {
  override readonly name = 'EndpointRefusedError'
  /** When it wants to be asked again (RFC 9110, section 10.2.3), where it says so in seconds. */
  readonly retryAfterMs: number | undefined

  constructor({ status, headers }: Pick<Response, 'status' | 'headers'>) {
    super(`the endpoint answered ${status}`)
    const seconds = headers.get('Retry-After') ?? ''
    this.retryAfterMs = /^\d{1,9}$/u.test(seconds) ? Number(seconds) * 1_000 : undefined
  }
}
