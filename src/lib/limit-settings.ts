import { setting, wholeNumber } from './setting.ts'

/** How much of what all share one tenant, one network, and all together may have. */
export const limitSettings = {
  domainsPerZone: setting(
    'DOMAINS_PER_ZONE',
    '50',
    'Host names that tokens for some zones may give a zone; the operator’s keys may add more',
    wholeNumber(0, 100_000),
  ),
} as const
