import { compileSchema } from '../../lib/json-schema/json-schema.ts'
import type { Sighting } from '../../ports/records/vision/sighting.ts'
import {
  type SightingRequest,
  UnusableSightingError,
  type VisionModel,
  VisionModelUnavailableError,
} from '../../ports/vision/vision-model.ts'
import {
  type Endpoint,
  EndpointRefusedError,
  postJson,
  readBounded,
  TooLongError,
} from './endpoint.ts'
import { instructionsFor, sightingSchema } from './sighting-schema.ts'

interface Options extends Endpoint {
  /** A whole reply takes no longer. */
  readonly patienceMs: number
}

/** With the envelope of the reply. What is wanted of an image has some two kilobytes. */
const maxReplyBytes = 64 * 2 ** 10
const maxTokens = 1_000

/** A model that sees, behind the chat completions of the OpenAI API. */
export class OpenaiVisionModel implements VisionModel {
  readonly #options: Options

  constructor(options: Options) {
    this.#options = options
  }

  async look(request: SightingRequest): Promise<Sighting> {
    const reply = await this.#inTime(request)
    return sightingIn(reply, request.languages)
  }

  /** Does not rely on whether what is waited for heeds the signal. */
  async #inTime({ signal, ...request }: SightingRequest): Promise<string> {
    const { patienceMs } = this.#options
    const either = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)])
    const { promise, reject } = Promise.withResolvers<never>()
    const onAbort = (): void => reject(new Error('nobody waits for the reply any more'))
    either.addEventListener('abort', onAbort)
    try {
      either.throwIfAborted()
      return await Promise.race([this.#reply(request, either), promise])
    } catch (cause) {
      if (cause instanceof TooLongError)
        throw new UnusableSightingError('the model said too much', { cause })
      const retryAfterMs = cause instanceof EndpointRefusedError ? cause.retryAfterMs : undefined
      throw new VisionModelUnavailableError('the model did not reply', { cause, retryAfterMs })
    } finally {
      either.removeEventListener('abort', onAbort)
    }
  }

  async #reply(
    { jpeg, languages }: Omit<SightingRequest, 'signal'>,
    signal: AbortSignal,
  ): Promise<string> {
    const url = `data:image/jpeg;base64,${Buffer.from(jpeg).toString('base64')}`
    const schema = sightingSchema(languages)
    const body = {
      model: this.#options.model,
      messages: [
        { role: 'system', content: instructionsFor(languages) },
        { role: 'user', content: [{ type: 'image_url', image_url: { url, detail: 'low' } }] },
      ],
      response_format: {
        type: 'json_schema',
        json_schema: { name: 'sighting', strict: true, schema },
      },
      stream: false,
      temperature: 0,
      max_tokens: maxTokens,
    }
    const response = await postJson(this.#options, '/chat/completions', { body, signal })
    return await readBounded(response, maxReplyBytes)
  }
}

/** Throws `UnusableSightingError` for anything else than a completion whose text is a sighting. */
function sightingIn(reply: string, languages: readonly string[]): Sighting {
  try {
    const sighting = JSON.parse(contentOf(reply)) as Sighting
    const [fault] = compileSchema(sightingSchema(languages)).faultsOf(sighting)
    if (fault === undefined) return sighting
  } catch (cause) {
    throw new UnusableSightingError('the model said something else than was asked for', { cause })
  }
  throw new UnusableSightingError('the model said something of another shape')
}

function contentOf(reply: string): string {
  const { choices } = JSON.parse(reply) as {
    readonly choices?: readonly ({ readonly message?: { readonly content?: unknown } } | null)[]
  }
  const content = choices?.[0]?.message?.content
  if (typeof content !== 'string') throw new Error('the endpoint answered no text')
  // Some models put a block of code around it, whatever they are told.
  const start = content.indexOf('{')
  const end = content.lastIndexOf('}')
  const around = content.slice(0, Math.max(0, start)) + content.slice(end + 1)
  const isFence = ['', 'json'].includes(around.replace(/[\s`]+/gu, ''))
  return isFence ? content.slice(start, end + 1) : content
}
