import { isIP } from 'node:net'

import type { PasskeySite } from '../../domain/access/passkeys/passkey-options.ts'
import { invalid } from '../../domain/errors.ts'
import type { SessionSettings } from '../../http/access/session-cookie.ts'

/**
 * The configured address is what passkeys are bound to. Without one only this machine's own name is
 * believed: anybody can write any other into a request. `undefined` where passkeys cannot work.
 */
export function passkeySiteOf(
  request: Request,
  { dashboardUrl }: SessionSettings,
): PasskeySite | undefined {
  const { origin, hostname } = new URL(dashboardUrl ?? request.url)
  const isName = isIP(hostname.replace(/^\[|\]$/gu, '')) === 0
  const isBelieved = dashboardUrl !== undefined || /^(?:.+\.)?localhost$/u.test(hostname)
  return isName && isBelieved ? { origin, rpId: hostname } : undefined
}

export function requirePasskeySite(request: Request, settings: SessionSettings): PasskeySite {
  const site = passkeySiteOf(request, settings)
  if (site === undefined)
    throw invalid('Host', 'must be localhost, or set BASE_URL to an address with a host name')
  return site
}
