/** Why the interface did not do what an agent wanted. */
export interface Refusal {
  readonly isRefused: true
  readonly status: number
  readonly code: string
  readonly message: string
  readonly target: unknown
  readonly details: unknown
  /** How long to wait before the same is asked again; of 429 and 503 alone. */
  readonly retryAfterSeconds?: number
}

/** A refusal of the tools' own, before anything was asked of the interface. */
export const refusal = (status: number, code: string, message: string): Refusal => ({
  isRefused: true,
  status,
  code,
  message,
  target: null,
  details: [],
})

interface ErrorBody {
  readonly error?: unknown
  readonly code?: string
  readonly detail?: string
  readonly message?: string
  readonly target?: unknown
  readonly details?: unknown
}

/** Of either envelope; `Retry-After` is in seconds here (RFC 9110 §10.2.3). */
export async function refusalOf(response: Response): Promise<Refusal> {
  const { status, headers } = response
  const body = parsed(await response.text())
  const wait = headers.get('retry-after') ?? ''
  const { error } = body
  const inner: ErrorBody = typeof error === 'object' && error !== null ? error : body
  return {
    ...refusal(
      status,
      inner.code ?? String(status),
      body.detail ?? inner.message ?? 'the service refused without a reason',
    ),
    target: inner.target ?? null,
    details: inner.details ?? [],
    ...(/^\d{1,9}$/u.test(wait) && { retryAfterSeconds: Number(wait) }),
  }
}

function parsed(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody
  } catch {
    return {}
  }
}
