import { isIP } from 'node:net'

import ipaddr from 'ipaddr.js'

import { addressList } from './address-list.ts'

/** The one block of IPv6 that is given out to the Internet (RFC 4291 §2.4 and IANA's registry). */
const openIpv6 = '2000::/3'

/** A public address on which a cloud (Azure) answers its own machines. */
const cloudPlatform = '168.63.129.16'

export type IsPublicAddress = (address: string) => boolean

/**
 * Whether an IP address is one of the public Internet. What wraps another address (IPv4-mapped,
 * NAT64, 6to4, Teredo) is not, whatever it wraps, and neither is what is no IP address at all. The
 * library keeps the list of special-purpose blocks (RFC 6890 and its registries).
 */
export function createPublicAddressCheck(): IsPublicAddress {
  const global = addressList([openIpv6])
  return (address) => {
    const family = isIP(address)
    if (family === 0 || address === cloudPlatform || address.includes('%')) return false
    // An IPv4 address in IPv6 clothes would be taken for the IPv4 address.
    if (family === 6 && (address.includes('.') || !global.includes(address))) return false
    return ipaddr.parse(address).range() === 'unicast'
  }
}
