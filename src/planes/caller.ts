import type { Actor } from '../domain/access/actor.ts'
import type { Caller } from '../http/operation.ts'

/** The caller of an operation, as the domain names whoever acts. */
export const actorOf = (caller: Caller): Actor => {
  const { credentialId, zones, ip, userAgent, requestId, personId, sees, previewsOnly } = caller
  return {
    credentialId,
    zones,
    ip,
    userAgent,
    requestId,
    ...(personId !== undefined && { personId }),
    ...(sees !== undefined && { sees }),
    ...(previewsOnly !== undefined && { previewsOnly }),
  }
}

/** The address this service is reached at, without a slash at its end: as configured, else as asked. */
export const baseUrlOf = (request: Request, configured: string | undefined): string =>
  configured?.replace(/(?<!\/)\/+$/u, '') ?? new URL(request.url).origin
