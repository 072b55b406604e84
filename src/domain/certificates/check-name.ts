import type { LookUp, NameResolver } from '../../ports/domains/name-resolver.ts'
import type { SslEvent } from './ssl-status.ts'

/** Whether a name leads here; if not, what was looked up, what was found and what to set. */
export interface NameCheck {
  readonly event: Extract<SslEvent, 'pointed' | 'misdirected' | 'delayed'>
  readonly reason: string | undefined
}

const maxAliases = 8
const pointed: NameCheck = { event: 'pointed', reason: undefined }

/**
 * Follows the aliases of `hostname`. It leads here where one of them is `target`, or where its
 * addresses are all among the target's (an apex name cannot be an alias). Without a target any
 * address will do: the authority finds out whether it is ours.
 */
export async function checkName(
  hostname: string,
  target: string | undefined,
  resolver: NameResolver,
): Promise<NameCheck> {
  const chain = await followAliases(hostname, resolver)
  if (chain.kind === 'unknown') return delayed(hostname, 'CNAME', chain.reason)
  const { names } = chain
  if (target !== undefined && names.includes(target.toLowerCase())) return pointed
  const own = await resolver.addresses(hostname)
  if (own.kind === 'unknown') return delayed(hostname, 'address', own.reason)
  if (own.kind === 'none' && (names.length === 0 || target === undefined))
    return nothingFound(hostname, target)
  return target === undefined
    ? pointed
    : await compare({ hostname, target, own, alias: names.at(-1) }, resolver)
}

interface Found {
  readonly hostname: string
  readonly target: string
  readonly own: LookUp
  readonly alias: string | undefined
}

async function compare(
  { hostname, target, own, alias }: Found,
  resolver: NameResolver,
): Promise<NameCheck> {
  const wanted = await resolver.addresses(target)
  if (wanted.kind === 'unknown') return delayed(target, 'address', wanted.reason)
  const isOurs = own.kind === 'found' && own.values.every((address) => includes(wanted, address))
  return isOurs ? pointed : elsewhere(hostname, target, alias ?? listOf(own))
}

type Chain =
  | { readonly kind: 'known'; readonly names: readonly string[] }
  | Extract<LookUp, { kind: 'unknown' }>

async function followAliases(hostname: string, resolver: NameResolver): Promise<Chain> {
  const names: string[] = []
  let name = hostname
  while (names.length < maxAliases) {
    const found = await resolver.alias(name)
    if (found.kind === 'unknown') return found
    const [alias] = found.kind === 'found' ? found.values : []
    if (alias === undefined || names.includes(alias)) break
    names.push(alias)
    name = alias
  }
  return { kind: 'known', names }
}

const includes = (found: LookUp, address: string): boolean =>
  found.kind === 'found' && found.values.includes(address)

const listOf = (found: LookUp): string =>
  found.kind === 'found' ? found.values.join(', ') : 'nothing'

const recordFor = (hostname: string, target: string): string =>
  `set the record "${hostname} CNAME ${target}" (at the top of a domain, where no CNAME can be: ALIAS, or the addresses of ${target})`

const nothingFound = (hostname: string, target: string | undefined): NameCheck => ({
  event: 'misdirected',
  reason: `${hostname} has neither a CNAME record nor an address: ${
    target === undefined ? 'set one that leads to this service' : recordFor(hostname, target)
  }.`,
})

const elsewhere = (hostname: string, target: string, found: string): NameCheck => ({
  event: 'misdirected',
  reason: `${hostname} leads to ${found} instead of ${target}: ${recordFor(hostname, target)}.`,
})

const delayed = (name: string, record: string, reason: string): NameCheck => ({
  event: 'delayed',
  reason: `The ${record} record of ${name} could not be looked up: ${reason}.`,
})
