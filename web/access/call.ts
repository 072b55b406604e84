import { t } from './text.ts'

/** Calls the service and answers its JSON; throws an `Error` with the service's own words. */
export async function call(
  method: string,
  path: string,
  body?: unknown,
): Promise<Readonly<Record<string, unknown>>> {
  const response = await fetch(path, {
    method,
    ...(body === undefined
      ? {}
      : { headers: { 'Content-Type': 'application/json' }, body: JSON.stringify(body) }),
  })
  if (response.status === 401 && !isSigningIn(path)) leave()
  const answer = (await response.json()) as Readonly<Record<string, unknown>>
  if (!response.ok) throw new Error(t(String(answer['message'])))
  return answer
}

/** What is refused there says why on the page that asked. */
const isSigningIn = (path: string): boolean =>
  path === '/api/passkeys/auth/complete' || path.startsWith('/api/invitations/')

let isLeaving = false

/** Once: who asks for two things whose session is over would otherwise break the first way off. */
function leave(): void {
  if (isLeaving) return
  isLeaving = true
  location.assign('/dashboard/login')
}

export const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no element ${id}`)
  return found
}

export function show(message: string): void {
  byId('message').textContent = message
}

/** What browsers say of passkeys is written for programmers; by the name of the error (WebAuthn §5.1). */
const plainWords: Readonly<Record<string, string>> = {
  NotAllowedError: t(
    'The passkey was not used: the question was closed, or nobody answered it in time. Try again, or use the password.',
  ),
  AbortError: t('The passkey was not used. Try again, or use the password.'),
  InvalidStateError: t('This device has a passkey for this service already.'),
  SecurityError: t(
    'Passkeys do not work at this URL. Open the dashboard at the host name that it has, or use the password.',
  ),
  NotSupportedError: t('This device cannot make a passkey of the kind that is needed here.'),
  ConstraintError: t(
    'This device cannot ask who you are, which a passkey here needs: set a screen lock.',
  ),
}

/** Runs what a person asked for and says what went wrong. */
export async function attempt(task: () => Promise<void>): Promise<void> {
  show('')
  try {
    await task()
  } catch (error) {
    show(error instanceof Error ? (plainWords[error.name] ?? error.message) : String(error))
  }
}
