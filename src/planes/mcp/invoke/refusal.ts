/** Why the interface did not do what an agent wanted. */
export interface Refusal {
  readonly isRefused: true
  readonly status: number
  readonly code: string
  readonly message: string
  readonly target: unknown
  readonly details: unknown
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

/** Of either envelope. */
export function refusalOf(status: number, text: string): Refusal {
  const body = parsed(text)
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
  }
}

function parsed(text: string): ErrorBody {
  try {
    return JSON.parse(text) as ErrorBody
  } catch {
    return {}
  }
}
