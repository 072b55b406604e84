import { createClient } from '../../../src/client/client.ts'
import { SedgeConnectionError } from '../../../src/client/errors.ts'
import { t } from '../language/text.ts'
import { connection } from './connection.ts'
import { sessionGate } from './session-gate.ts'

/**
 * The service, through the same client that its package exports. The session's cookie is its
 * credential. Where the session has ended, whoever sits here is asked to sign in, on this very page,
 * and the call is made again.
 */
export const client = createClient({ url: location.origin, fetch: fetchInSession })

/** Lists may be kept for a while by others; here one sees at once what one has just done. */
async function fetchInSession(given: Request): Promise<Response> {
  const request = new Request(given, { cache: 'no-cache' })
  const again = request.clone()
  const response = await reached(request)
  if (response.status !== 401) return response
  await sessionGate.signInAgain()
  return await reached(again)
}

/** What never arrived may be the first sign that nothing does. */
async function reached(request: Request): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    if (!request.signal.aborted) connection.doubt()
    throw error
  }
}

/** What went wrong, for whoever reads it. */
export function messageOf(error: unknown): string {
  if (error instanceof SedgeConnectionError)
    return t('The service cannot be reached. Check the connection and try again.')
  return error instanceof Error ? error.message : String(error)
}
