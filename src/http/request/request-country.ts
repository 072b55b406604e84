import { type AddressList, plainAddress } from '../../lib/net/address-list.ts'
import { clientAddress, countryNamed } from './client-address.ts'
import type { RequestHead } from '../wire/request-head.ts'

/** What is not known of a country. */
const unknownCountry = 'XX'

/** Of what a proxy says, so that what is remembered is bounded. */
const maxKnownLength = 100

export interface CountrySources {
  /** The country of an address, where it has one. */
  readonly lookUp: (address: string) => string | undefined
  readonly proxies: AddressList
  /** The header in which trusted proxies name a country. */
  readonly header: string
  /** So many addresses are remembered; then all are forgotten. */
  readonly maxKnown?: number
}

export type CountryOf = (request: RequestHead, peerAddress: string | undefined) => string

/**
 * The country a request comes from: as a trusted proxy says, else by the client's address. Asked for
 * every answer, so what an address comes to is remembered.
 */
export function createCountryOf(sources: CountrySources): CountryOf {
  const { lookUp, proxies, header, maxKnown = 20_000 } = sources
  const countryByAddress = new Map<string, string>()
  /** By the other end of the connection; `null` for a proxy, which speaks for others. */
  const countryByPeer = new Map<string, string | null>()

  /** By what a proxy says. */
  const countryBySaying = new Map<string, string>()

  const byAddress = (address: string): string =>
    remembered(countryByAddress, address, maxKnown, () => lookUp(address) ?? unknownCountry)

  const byPeer = (peer: string): string | null =>
    proxies.includes(peer) ? null : byAddress(plainAddress(peer) ?? peer)

  const forwarded = (headers: Headers, peer: string): string =>
    byAddress(clientAddress(headers, peer, proxies))

  /** Proxies say the same again and again of those who stay. */
  function behindProxy(headers: Headers, peer: string): string {
    const said = headers.get('x-forwarded-for') ?? ''
    return said.length > maxKnownLength
      ? forwarded(headers, peer)
      : remembered(countryBySaying, `${peer} ${said}`, maxKnown, () => forwarded(headers, peer))
  }

  return ({ headers }, peerAddress = '') => {
    const known =
      countryByPeer.get(peerAddress) ??
      remembered(countryByPeer, peerAddress, maxKnown, () => byPeer(peerAddress))
    if (known !== null) return known
    return countryNamed(headers, header) ?? behindProxy(headers, peerAddress)
  }
}

function remembered<Value>(
  known: Map<string, Value>,
  ...[key, maxKnown, find]: [string, number, () => Value]
): Value {
  const value = known.get(key)
  if (value !== undefined) return value
  if (known.size >= maxKnown) known.clear()
  const found = find()
  known.set(key, found)
  return found
}
