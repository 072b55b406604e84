import { sessionTicketCheck } from '../../domain/access/session-cookie.ts'
import { readSessionCookies } from '../../http/access/session-cookie.ts'
import type { Secret } from '../../lib/secrets/secret.ts'
import type { RequestHead } from '../../http/wire/request-head.ts'

const path = '/dashboard/'

/**
 * Whether a page of the dashboard asks for what it shows: whoever looks at pictures there is no visitor.
 * The referrer says which page asked, and the cookie, which nobody else can make, that it may say so. What
 * an operator opens by itself, in a tab of its own, is a visit like any other.
 */
export function isFromDashboard(secrets: readonly Secret[]): (request: RequestHead) => boolean {
  const isTicket = sessionTicketCheck(secrets)
  return (request) => {
    const { headers } = request
    // Nearly no visitor sends one, and this is asked of every request.
    if (!headers.has('cookie')) return false
    if (headers.get('sec-fetch-mode') === 'navigate') return false
    const referrer = headers.get('referer')
    if (referrer === null || URL.parse(referrer)?.pathname.startsWith(path) !== true) return false
    return readSessionCookies(request).some((cookie) => isTicket(cookie))
  }
}
