import { otherName } from '../../ports/traffic/traffic-store.ts'

/** Of requests that name no page they come from. No host name has a parenthesis. */
export const noName = '(none)'

const hostName = /^[a-z0-9-]{1,63}(?:\.[a-z0-9-]{1,63}){0,9}$/u
const address = /^[\d.]+$/u
const maxLength = 120

/** The host name of the page that a `Referer` (RFC 9110 §10.1.3) names. What else it says is kept nowhere. */
export function referrerName(referrer: string | null): string {
  if (referrer === null || referrer === '') return noName
  const url = /^https?:/iu.test(referrer) ? URL.parse(referrer) : null
  const host = url?.hostname.replace(/\.$/u, '') ?? ''
  return host.length <= maxLength && hostName.test(host) && !address.test(host) ? host : otherName
}
