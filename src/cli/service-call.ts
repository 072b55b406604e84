import { ServiceCallError } from './service-client.ts'

interface ServiceCall {
  readonly url: string
  readonly accountKey: string
  readonly method: string
  readonly path: string
  readonly body: unknown
}

/** One call to a running service; answers its JSON. Throws {@link ServiceCallError} with the service's words. */
export async function callService(call: ServiceCall): Promise<unknown> {
  const base = call.url.replace(/\/+$/u, '')
  const response = await fetch(`${base}${call.path}`, {
    method: call.method,
    headers: { AccountKey: call.accountKey, 'Content-Type': 'application/json' },
    ...(call.body === undefined ? {} : { body: JSON.stringify(call.body) }),
  }).catch((cause: unknown) => {
    throw new ServiceCallError(`No service answers at ${base}. Is it running (npm start)?`, {
      cause,
    })
  })
  const answer: unknown = await response.json().catch(() => undefined)
  if (response.ok) return answer
  const reason = isRecord(answer) ? `: ${String(answer['Message'])}` : ''
  throw new ServiceCallError(`The service refused (${response.status})${reason}`)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
