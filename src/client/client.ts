import { SedgeConnectionError } from './errors.ts'
import { type Route, routes } from './operations.ts'
import { eachAsset, eachWebhookDelivery } from './paging.ts'
import { requestOf } from './request.ts'
import { type Platform, send } from './send.ts'
import { serverSentEvents } from './server-sent-events.ts'
import type {
  CallOptions,
  Client,
  ClientOptions,
  DirectoryEntry,
  LogEntry,
  OperationId,
} from './types.ts'
import { uploadFile } from './upload-file.ts'
import type { ServerSentEvent } from './wire-types.ts'

export { SedgeError } from './errors.ts'
export { signUrl } from './sign-url.ts'
export { SedgeConnectionError }

/**
 * A client of a running service, with a method for each of its operations. Uses `fetch` alone, so it runs
 * in Bun, Node from 20 on and browsers. Throws `SedgeError` where the service refuses and
 * `SedgeConnectionError` where none answers.
 */
export const createClient = (options: ClientOptions): Client =>
  createClientOn({ fetch: (request) => fetch(request), ...platform, ...options }, options)

const platform: Omit<Platform, 'fetch'> = {
  random: Math.random,
  now: Date.now,
  wait: (ms, signal) =>
    new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        signal?.removeEventListener('abort', abort)
        resolve()
      }, ms)
      const abort = () => {
        clearTimeout(timer)
        reject(signal?.reason as Error)
      }
      if (signal?.aborted === true) abort()
      else signal?.addEventListener('abort', abort, { once: true })
    }),
}

/** `undefined` where the response has no content. */
async function readJson(response: Response): Promise<unknown> {
  if (response.status === 204) return undefined
  try {
    return await response.json()
  } catch (cause) {
    if (cause instanceof Error && cause.name === 'AbortError') throw cause
    throw new SedgeConnectionError(`The answer of ${response.url} is not JSON`, { cause })
  }
}

type Values = Readonly<Record<string, unknown>>

/** The same in a world that is given. */
export function createClientOn(world: Platform, options: ClientOptions): Client {
  const { retries = 3, maxRetrySeconds = 30 } = options
  const base = options.url.replace(/(?<!\/)\/+$/u, '')

  async function ask(route: Route, input: Values, call: CallOptions): Promise<Response> {
    const request = requestOf({ base, route, input, credentials: options, options: call })
    const { url, init, isRepeatable } = request
    const { signal } = call
    const { answers = [] } = route
    const tries = { retries: isRepeatable ? retries : 0, maxRetrySeconds }
    return await send({ url, init, signal, answers, ...tries }, world)
  }

  async function* events(
    route: Route,
    input: Values,
    call: CallOptions,
  ): AsyncGenerator<ServerSentEvent> {
    const { body } = await ask(route, input, call)
    try {
      yield* serverSentEvents(body)
    } catch (cause) {
      call.signal?.throwIfAborted()
      throw new SedgeConnectionError(`The events of ${base}${route.path} broke off`, { cause })
    }
  }

  const callOf =
    (route: Route) =>
    (input: Values = {}, call: CallOptions = {}) => {
      if (route.answer === 'events') return events(route, input, call)
      const response = ask(route, input, call)
      return route.answer === 'response' ? response : response.then(readJson)
    }

  const calls = Object.fromEntries(
    Object.entries<Route>(routes).map(([id, route]) => [id, callOf(route)]),
  ) as unknown as Pick<Client, OperationId>

  return {
    ...calls,
    uploadFile: (file, call = {}) => uploadFile({ calls, world }, file, call),
    async listDirectory(path, call) {
      const directory = path.replace(/(?<!\/)\/*$/u, path === '' ? '' : '/')
      const response = await calls.getFile({ path: directory }, call)
      return (await readJson(response)) as readonly DirectoryEntry[]
    },
    eachAsset: (query, call) => eachAsset(calls, query, call),
    eachWebhookDelivery: ({ id }, call) => eachWebhookDelivery(calls, id, call),
    async *followLogs(query = {}, call = {}) {
      for await (const { event, data } of events(routes.listLogs, { ...query, tail: true }, call))
        if (event === 'log') yield data as LogEntry
    },
  }
}
