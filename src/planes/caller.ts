import type { Actor } from '../domain/access/actor.ts'
import type { Caller } from '../http/operation.ts'

/** The caller of an operation, as the domain names whoever acts. */
export const actorOf = ({ credentialId, zones, ip, userAgent, requestId }: Caller): Actor => ({
  credentialId,
  zones,
  ip,
  userAgent,
  requestId,
})

/** The address this service is reached at, without a slash at its end: as configured, else as asked. */
export const baseUrlOf = (request: Request, configured: string | undefined): string =>
  configured?.replace(/(?<!\/)\/+$/u, '') ?? new URL(request.url).origin
