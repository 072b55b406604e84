import { isIP } from 'node:net'

import { addressList } from './address-list.ts'

/**
 * IPv4 blocks that are not of the public Internet (RFC 6890 and its registry), and one public address
 * that a cloud answers its own machines on.
 */
const closedIpv4 = [
  '0.0.0.0/8',
  '10.0.0.0/8',
  '100.64.0.0/10',
  '127.0.0.0/8',
  '168.63.129.16/32',
  '169.254.0.0/16',
  '172.16.0.0/12',
  '192.0.0.0/24',
  '192.0.2.0/24',
  '192.88.99.0/24',
  '192.168.0.0/16',
  '198.18.0.0/15',
  '198.51.100.0/24',
  '203.0.113.0/24',
  '224.0.0.0/4',
  '240.0.0.0/4',
] as const

/** The one block of IPv6 that is given out to the Internet, and what of it is something else. */
const openIpv6 = '2000::/3'
const closedIpv6 = [
  '2001::/23',
  '2001:db8::/32',
  '2002::/16',
  '2620:4f:8000::/48',
  '3fff::/20',
] as const

export type IsPublicAddress = (address: string) => boolean

/**
 * Whether an IP address is one of the public Internet. What wraps another address (IPv4-mapped,
 * NAT64, 6to4, Teredo) is not, whatever it wraps, and neither is what is no IP address at all.
 */
export function createPublicAddressCheck(): IsPublicAddress {
  const ipv4 = addressList(closedIpv4)
  const ipv6 = addressList(closedIpv6)
  const global = addressList([openIpv6])
  return (address) => {
    const family = isIP(address)
    if (family === 4) return !ipv4.includes(address)
    if (family !== 6 || address.includes('%')) return false
    // An IPv4 address in IPv6 clothes would be taken for the IPv4 address.
    return !address.includes('.') && global.includes(address) && !ipv6.includes(address)
  }
}
