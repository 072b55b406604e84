import type { SessionSettings } from '../../http/access/session-cookie.ts'

const invitationPath = '/dashboard/invitation'

/** The secret stands behind the `#`, so that no server on the way and no log ever has it. */
export function invitationUrlOf(
  secret: string,
  request: Request,
  { dashboardUrl }: SessionSettings,
): string {
  const origin = dashboardUrl ?? new URL(request.url).origin
  return `${origin}${invitationPath}#${secret}`
}
