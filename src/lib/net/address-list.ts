import { BlockList, isIP } from 'node:net'

/** Single addresses and whole blocks of them. */
export interface AddressList {
  includes(address: string): boolean
}

/** `ranges` are addresses or CIDR blocks. Throws a sentence about the first that is neither. */
export function addressList(ranges: readonly string[]): AddressList {
  if (ranges.length === 0) return { includes: () => false }
  const list = new BlockList()
  for (const range of ranges) addRange(list, range)
  return {
    includes(address) {
      const plain = plainAddress(address)
      const family = plain === undefined ? 0 : isIP(plain)
      if (plain === undefined || family === 0) return false
      return list.check(plain, family === 6 ? 'ipv6' : 'ipv4')
    },
  }
}

function addRange(list: BlockList, range: string): void {
  const [address = '', prefix, ...rest] = range.trim().split('/')
  const family = isIP(address)
  const bits = family === 6 ? 128 : 32
  const length = prefix === undefined ? bits : Number(prefix)
  const isLength = prefix === undefined || (/^\d{1,3}$/u.test(prefix) && length <= bits)
  if (family === 0 || !isLength || rest.length > 0)
    throw new Error(`${range} is neither an IP address nor a block such as 10.0.0.0/8`)
  list.addSubnet(address, length, family === 6 ? 'ipv6' : 'ipv4')
}

/**
 * What a limit per client counts: an IPv4 address, or the /56 of an IPv6 one, which is what a single
 * household holds (RFC 6177).
 */
export function networkOf(address: string): string {
  const plain = plainAddress(address) ?? address
  if (isIP(plain) !== 6) return plain
  const [head = '', tail] = plain.split('::')
  const groups = head === '' ? [] : head.split(':')
  if (tail !== undefined) {
    const last = tail === '' ? [] : tail.split(':')
    groups.push(
      ...Array.from({ length: Math.max(0, 8 - groups.length - last.length) }, () => '0'),
      ...last,
    )
  }
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16))
    .map((group, place) => (place === 3 ? group & 0xff_00 : group).toString(16))
    .join(':')}::/56`
}

/** As much of an address as tells where a client is and not who: the /24 of IPv4, the /48 of IPv6. */
export function coarseNetworkOf(address: string): string | undefined {
  const plain = plainAddress(address)
  if (plain === undefined) return undefined
  if (isIP(plain) === 4) return `${plain.slice(0, plain.lastIndexOf('.'))}.0/24`
  return `${networkOf(plain).split(':').slice(0, 3).join(':')}::/48`
}

/** Without brackets, port and zone index; an IPv4 address in IPv6 clothes is an IPv4 address. */
export function plainAddress(text: string): string | undefined {
  const bare = /^\[(?<inside>[^\]]+)\](?::\d+)?$/u.exec(text)?.groups?.['inside'] ?? text
  const unported = /^[\d.]+:\d+$/u.test(bare) ? bare.slice(0, bare.indexOf(':')) : bare
  const [address = ''] = unported.split('%')
  const mapped = /^::ffff:(?<ipv4>[\d.]+)$/iu.exec(address)?.groups?.['ipv4'] ?? address
  return isIP(mapped) === 0 ? undefined : mapped.toLowerCase()
}

/** Whether an address, or a host name as it stands in a URL, never leaves this machine. */
export function isLoopback(host: string): boolean {
  const address = plainAddress(host)
  return host === 'localhost' || address === '::1' || address?.startsWith('127.') === true
}
