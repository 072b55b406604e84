import { isIP } from 'node:net'
import { resolve } from 'node:path'

import { addressList } from '../lib/net/address-list.ts'
import { Secret } from '../lib/secrets/secret.ts'

/** One environment variable. Its documentation is generated from this. */
export interface Setting<T> {
  readonly name: string
  /** What counts where the variable is not set. */
  readonly default: string
  readonly description: string
  /** Throws how the sentence that begins with the name goes on: `must …`. */
  readonly parse: (text: string) => T
}

export function setting<T>(
  name: string,
  ...[standard, description, parse]: [string, string, (text: string) => T]
): Setting<T> {
  return { name, default: standard, description, parse }
}

export function secret(name: string, description: string): Setting<Secret | undefined> {
  return setting(name, '', description, (text) => {
    if (!/^[\u0020-\u007e]*$/u.test(text))
      throw new Error('must be printable ASCII: it has to fit in a header')
    return text === '' ? undefined : new Secret(text)
  })
}

export function flag(name: string, description: string): Setting<boolean> {
  return setting(name, 'false', description, (text) => oneOf(['true', 'false'])(text) === 'true')
}

/** Where a database is, with the password in it. */
export function postgresUrl(text: string): Secret {
  const url = URL.parse(text)
  const isPostgres = url !== null && ['postgres:', 'postgresql:'].includes(url.protocol)
  if (!isPostgres || url.hostname === '' || url.pathname.length < 2)
    throw new Error('must be a URL such as postgres://sedge:password@db.example.org/sedge')
  return new Secret(text)
}

export function optional<T>(parse: (text: string) => T): (text: string) => T | undefined {
  return (text) => (text === '' ? undefined : parse(text))
}

/**
 * Absolute; a relative one counts from the directory that the process was started in. Paths are made
 * absolute here and nowhere else, since child processes run in other directories.
 */
export const filePath = (text: string): string => resolve(text)

export function oneOf<const T extends string>(values: readonly T[]): (text: string) => T {
  return (text) => {
    const found = values.find((value) => value === text)
    if (found === undefined) throw new Error(`must be one of ${values.join(', ')}`)
    return found
  }
}

export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    const value = Number(text)
    if (!/^\d{1,15}$/u.test(text) || value < min || value > max)
      throw new Error(`must be a whole number from ${min} to ${max}`)
    return value
  }
}

export function hostName(text: string): string {
  if (!/^[\w.:[\]-]{1,253}$/u.test(text)) throw new Error('must be a host name or an IP address')
  return text
}

/** In lower case; what can have an origin of its own, so no URL and no port. */
export function dnsName(text: string): string {
  const name = networkName(text)
  if (!name.includes('.')) throw new Error(noName)
  return name
}

/** As {@link dnsName}, or what machines of one network call it, such as `sedge` among containers. */
export function networkName(text: string): string {
  const name = text.toLowerCase()
  const label = '[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?'
  const isName = text.length <= 253 && new RegExp(`^${label}(?:\\.${label})*$`, 'u').test(name)
  if (!isName || isIP(name) !== 0) throw new Error(noName)
  return name
}

const noName = 'must be a host name such as sedge.example.org, without a port'

export interface HostCertificate {
  readonly host: string
  readonly certificateFile: string
  readonly keyFile: string
}

export function hostCertificates(text: string): readonly HostCertificate[] {
  const items = text.split(',').map((item) => item.trim())
  return items
    .filter((item) => item !== '')
    .map((item) => {
      const [, host, certificateFile, keyFile] =
        /^((?:\*\.)?[\w.-]{1,253})=([^:]+):([^:]+)$/u.exec(item) ?? []
      if (host === undefined || certificateFile === undefined || keyFile === undefined)
        throw new Error('must be items such as www.example.org=cert.pem:key.pem')
      return {
        host: host.toLowerCase(),
        certificateFile: filePath(certificateFile),
        keyFile: filePath(keyFile),
      }
    })
}

export function headerName(text: string): string {
  if (!/^[\w!#$%&'*+.^`|~-]{1,100}$/u.test(text)) throw new Error('must be a header name')
  return text
}

/** Without a slash at its end. */
export function baseUrl(text: string): string {
  const url = URL.parse(text)
  const isPlain = url !== null && url.username === '' && url.search === '' && url.hash === ''
  if (!isPlain || !['http:', 'https:'].includes(url.protocol) || url.pathname !== '/')
    throw new Error('must be a URL such as https://cdn.example.org, without a path')
  return url.origin
}

/** As browsers name them: a scheme, a host and a port that is not the usual one. */
export function origins(text: string): ReadonlySet<string> {
  const given = text.split(',').map((item) => item.trim())
  const named = given.filter((item) => item !== '')
  for (const item of named) {
    const url = URL.parse(item)
    if (url === null || !['http:', 'https:'].includes(url.protocol) || url.origin !== item)
      throw new Error(
        'must be origins such as https://app.example.org, without a path, separated by commas',
      )
  }
  return new Set(named)
}

export function httpsUrl(text: string): string {
  const url = URL.parse(text)
  if (url?.protocol !== 'https:' || url.username !== '') throw new Error('must be an https URL')
  return url.href
}

export function emailAddress(text: string): string {
  if (!/^[^\s@,;?]+@[^\s@,;?]+$/u.test(text)) throw new Error('must be an e-mail address')
  return text
}

/** Addresses, each with a port where it is not the usual one. */
export function nameServers(text: string): readonly string[] {
  const servers = text.split(',').map((server) => server.trim())
  const given = servers.filter((server) => server !== '')
  for (const server of given) {
    const bare = /^(?:\[([^\]]+)\]|([\d.]+)):(\d{1,5})$/u.exec(server)
    const address = bare?.[1] ?? bare?.[2] ?? server
    if (isIP(address) === 0 || Number(bare?.[3] ?? 53) > 65_535)
      throw new Error('must be IP addresses such as 192.0.2.1 or 192.0.2.1:53, separated by commas')
  }
  return given
}

/** A URL below which an API is, without a slash at its end. */
export function endpointUrl(text: string): string {
  const url = URL.parse(text)
  const isPlain = url !== null && url.username === '' && url.search === '' && url.hash === ''
  if (!isPlain || !['http:', 'https:'].includes(url.protocol))
    throw new Error('must be a URL such as http://127.0.0.1:11434/v1')
  return url.href.replace(/(?<!\/)\/+$/u, '')
}

export function addressRanges(text: string): readonly string[] {
  const ranges = text.split(',').map((range) => range.trim())
  const given = ranges.filter((range) => range !== '')
  try {
    addressList(given)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new Error(`must be addresses and blocks separated by commas: ${reason}`, { cause: error })
  }
  return given
}
