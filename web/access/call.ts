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
  if (response.status === 401 && path !== '/api/passkeys/auth/complete')
    location.assign('/dashboard/login')
  const answer = (await response.json()) as Readonly<Record<string, unknown>>
  if (!response.ok) throw new Error(String(answer['message']))
  return answer
}

export const byId = (id: string): HTMLElement => {
  const found = document.getElementById(id)
  if (found === null) throw new Error(`the page has no element ${id}`)
  return found
}

export function show(message: string): void {
  byId('message').textContent = message
}

/** Runs what a person asked for and says what went wrong. */
export async function attempt(task: () => Promise<void>): Promise<void> {
  show('')
  try {
    await task()
  } catch (error) {
    show(error instanceof Error ? error.message : String(error))
  }
}
