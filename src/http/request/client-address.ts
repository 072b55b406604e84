import { addressList, type AddressList, plainAddress } from '../../lib/net/address-list.ts'
import type { FieldReader } from './conditional.ts'

/** Whose word about others is believed. `ranges` are addresses or CIDR blocks. */
export const trustedProxies = (ranges: readonly string[]): AddressList => addressList(ranges)

/**
 * Who is really asking: the connection's own address, unless that is a trusted proxy; then the
 * rightmost address of X-Forwarded-For that is not one. What stands further left anyone may have written.
 */
export function clientAddress(
  headers: FieldReader,
  peerAddress: string,
  trusted: AddressList,
): string {
  let client = plainAddress(peerAddress) ?? peerAddress
  if (!trusted.includes(client)) return client
  const forwarded = headers.get('x-forwarded-for')?.split(',') ?? []
  for (const hop of forwarded.toReversed()) {
    const address = plainAddress(hop.trim())
    if (address === undefined) return client
    client = address
    if (!trusted.includes(client)) return client
  }
  return client
}

/** Whether nobody could read along on the way: TLS up to us, or up to a trusted proxy that says so. */
export function cameOverTls(
  { url, headers }: { readonly url: string; readonly headers: FieldReader },
  peerAddress: string,
  trusted: AddressList,
): boolean {
  if (url.startsWith('https:')) return true
  const isTrusted = trusted.includes(plainAddress(peerAddress) ?? peerAddress)
  return isTrusted && headers.get('x-forwarded-proto')?.trim().toLowerCase() === 'https'
}

/** The host that a trusted proxy was asked by, where it says so; what anybody else says does not count. */
export function forwardedHost(
  headers: FieldReader,
  peerAddress: string,
  trusted: AddressList,
): string | undefined {
  if (!trusted.includes(plainAddress(peerAddress) ?? peerAddress)) return undefined
  return headers.get('x-forwarded-host')?.trim() ?? undefined
}

/** The country a trusted proxy says the client is in, as two capitals; `undefined` from anyone else. */
export function clientCountry(
  request: { readonly headers: FieldReader; readonly peerAddress: string },
  trust: { readonly proxies: AddressList; readonly header: string },
): string | undefined {
  return trust.proxies.includes(request.peerAddress)
    ? countryNamed(request.headers, trust.header)
    : undefined
}

/** The country that a proxy names, whose word is believed. */
export function countryNamed(headers: FieldReader, header: string): string | undefined {
  const country = headers.get(header)?.trim().toUpperCase()
  return country !== undefined && /^[A-Z]{2}$/u.test(country) ? country : undefined
}
