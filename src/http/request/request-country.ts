import { type AddressList, plainAddress } from '../../lib/net/address-list.ts'
import { clientAddress, clientCountry } from './client-address.ts'

/** What is not known of a country. */
const unknownCountry = 'XX'

export interface CountrySources {
  /** The country of an address, where it has one. */
  readonly lookUp: (address: string) => string | undefined
  readonly proxies: AddressList
  /** The header in which trusted proxies name a country. */
  readonly header: string
  /** So many addresses are remembered; then all are forgotten. */
  readonly maxKnown?: number
}

export type CountryOf = (request: Request, peerAddress: string | undefined) => string

/**
 * The country a request comes from: as a trusted proxy says, else by the client's address. Asked for
 * every answer, so what an address comes to is remembered.
 */
export function createCountryOf(sources: CountrySources): CountryOf {
  const { lookUp, proxies, header, maxKnown = 20_000 } = sources
  const countryByAddress = new Map<string, string>()
  /** By the other end of the connection; `null` for a proxy, which speaks for others. */
  const countryByPeer = new Map<string, string | null>()

  const byAddress = (address: string): string =>
    remembered(countryByAddress, address, maxKnown, () => lookUp(address) ?? unknownCountry)

  const byPeer = (peer: string): string | null =>
    proxies.includes(peer) ? null : byAddress(plainAddress(peer) ?? peer)

  return ({ headers }, peerAddress = '') => {
    const known =
      countryByPeer.get(peerAddress) ??
      remembered(countryByPeer, peerAddress, maxKnown, () => byPeer(peerAddress))
    if (known !== null) return known
    const named = clientCountry({ headers, peerAddress }, { proxies, header })
    return named ?? byAddress(clientAddress(headers, peerAddress, proxies))
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
