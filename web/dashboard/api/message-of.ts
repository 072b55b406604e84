import { SedgeConnectionError } from '../../../src/client/errors.ts'

/** What went wrong, for whoever reads it. */
export function messageOf(error: unknown): string {
  if (error instanceof SedgeConnectionError)
    return 'The service cannot be reached. Check the connection and try again.'
  return error instanceof Error ? error.message : String(error)
}
