import { domainToASCII } from 'node:url'

import { invalid } from '../../errors.ts'

/** A host name as an A-label in lower case, without a trailing dot. Made by {@link parseHostName} alone. */
export type HostName = string & { readonly __brand: 'HostName' }

const label = /^[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/
const maxLength = 253

/**
 * A fully qualified host name (RFC 1123 §2.1) of at least two labels. Internationalised names are taken
 * and answered as A-labels (RFC 5891).
 */
export function parseHostName(text: string, target = 'Hostname'): HostName {
  const given = text.trim().replace(/\.$/u, '')
  const ascii = /[:/?#@\s\\%]/u.test(given) ? '' : domainToASCII(given).toLowerCase()
  const labels = ascii.split('.')
  const isHostName =
    ascii.length <= maxLength &&
    labels.length >= 2 &&
    labels.every((part) => label.test(part)) &&
    !/^\d+$/u.test(labels.at(-1) ?? '')
  if (!isHostName)
    throw invalid(target, 'must be a fully qualified host name such as cdn.example.com')
  return ascii as HostName
}
