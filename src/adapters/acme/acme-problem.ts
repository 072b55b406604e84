import { AuthorityError } from '../../ports/domains/certificate-authority.ts'

/** The answer of an authority, as far as it is looked at. */
export interface AcmeResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly data: unknown
}

interface Problem {
  readonly type: string
  readonly detail: string
}

const prefix = 'urn:ietf:params:acme:error:'
const badNonce = `${prefix}badNonce`
/** Faults of the authority's own, or of a neighbour's: nothing that the owner of a domain could mend. */
const passing = new Set([`${prefix}serverInternal`, `${prefix}orderNotReady`])
const maxDetail = 500

/** What a refusal means; `undefined` for an answer that is none. `at` is when it came. */
export function faultOf(
  { status, headers, data }: AcmeResponse,
  at: Date,
): AuthorityError | undefined {
  if (status < 400) return undefined
  const { type, detail } = problemIn(data)
  if (type === badNonce) return undefined
  const retryAfterMs = readRetryAfter(headers['retry-after'], at)
  const said = detail === '' ? `status ${status}` : detail
  if (status === 429 || type === `${prefix}rateLimited`)
    return new AuthorityError('rate-limited', `The certificate authority asks to wait: ${said}`, {
      retryAfterMs,
    })
  if (status >= 500 || passing.has(type))
    return new AuthorityError('unavailable', `The certificate authority has a fault: ${said}`, {
      retryAfterMs,
    })
  return refusal(detail === '' ? `${type || 'no reason given'} (status ${status})` : detail)
}

/** The request is signed anew then, with the nonce that came with this answer (RFC 8555 §6.5). */
export const isBadNonce = ({ status, data }: AcmeResponse): boolean =>
  status >= 400 && problemIn(data).type === badNonce

export const refusal = (reason: string): AuthorityError =>
  new AuthorityError('refused', `The certificate authority refused: ${reason}`)

/** Made by no answer: the authority cannot be reached, or what it says cannot be understood. */
export function unreachable(cause: unknown): AuthorityError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new AuthorityError(
    'unavailable',
    `The certificate authority cannot be reached: ${reason.slice(0, maxDetail)}`,
    { cause },
  )
}

/** Why a challenge failed, where the authority says so (RFC 8555 §8). */
export const detailOf = (challenge: unknown): string =>
  typeof challenge === 'object' && challenge !== null && 'error' in challenge
    ? problemIn(challenge.error).detail
    : ''

function problemIn(data: unknown): Problem {
  if (typeof data !== 'object' || data === null) return { type: '', detail: '' }
  const { type, detail } = data as { readonly type?: unknown; readonly detail?: unknown }
  return {
    type: typeof type === 'string' ? type : '',
    detail: typeof detail === 'string' ? detail.slice(0, maxDetail) : '',
  }
}

/** Seconds or a date (RFC 9110 §10.2.3); `undefined` where it is neither. */
function readRetryAfter(value: unknown, at: Date): number | undefined {
  if (typeof value !== 'string') return undefined
  if (/^\d{1,9}$/u.test(value)) return Number(value) * 1_000
  const date = Date.parse(value)
  return Number.isNaN(date) ? undefined : Math.max(date - at.getTime(), 0)
}
