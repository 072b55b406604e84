import { errorCodes } from './operations.ts'
import { SedgeError } from './errors.ts'
import type { Refusal } from './types.ts'

/** Both envelopes have the same things to say; what is between us and the service may answer neither. */
export async function refusalOf(response: Response, now: () => number): Promise<SedgeError> {
  const body = recordOf(await response.json().catch(() => undefined))
  const { error } = body
  const standard = recordOf(error)
  const code = errorCodes.find((each) => each === (standard['code'] ?? body['code'] ?? error))
  const members = { ...body, ...standard }
  return new SedgeError({
    status: response.status,
    code: code ?? 'Unknown',
    message: textOf(members['detail']) ?? textOf(members['message']) ?? statusText(response),
    target: textOf(members['target']),
    details: Array.isArray(members['details']) ? members['details'] : [],
    requestId: textOf(body['requestId']) ?? response.headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: retryAfterSeconds(response.headers, now),
    body,
  })
}

/** `Retry-After` in seconds from now, whichever way it is spelled (RFC 9110 §10.2.3). */
export function retryAfterSeconds(headers: Headers, now: () => number): number | undefined {
  const text = headers.get('retry-after')?.trim() ?? ''
  if (/^\d{1,9}$/u.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now()) / 1000))
}

const statusText = ({ status, statusText: text }: Response): string =>
  `HTTP ${status}${text === '' ? '' : ` ${text}`}`

const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined

const recordOf = (value: unknown): Refusal['body'] =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Refusal['body'])
    : {}
