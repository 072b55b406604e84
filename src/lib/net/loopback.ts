import { plainAddress } from './address-list.ts'

/** Whether an address, or a host name as it stands in a URL, never leaves this machine. */
export function isLoopback(host: string): boolean {
  const address = plainAddress(host)
  return host === 'localhost' || address === '::1' || address?.startsWith('127.') === true
}
