import { setting, wholeNumber } from './setting.ts'

/** How much of what all share one tenant, one network, and all together may have. */
export const limitSettings = {
  domainsPerZone: setting(
    'DOMAINS_PER_ZONE',
    '50',
    'Host names that tokens for some zones may give a zone; the operator’s keys may add more',
    wholeNumber(0, 100_000),
  ),
  tokensPerZone: setting(
    'TOKENS_PER_ZONE',
    '100',
    'Tokens that may reach a zone for a token of its own to make another; the operator’s keys may make more',
    wholeNumber(0, 100_000),
  ),
  webhooks: setting('WEBHOOKS', '25', 'Webhooks in all', wholeNumber(0, 10_000)),
  webhooksPerZone: setting(
    'WEBHOOKS_PER_ZONE',
    '5',
    'Webhooks that tokens for some zones may make for a zone',
    wholeNumber(0, 10_000),
  ),
  webhooksReserved: setting(
    'WEBHOOKS_RESERVED',
    '5',
    'Of all webhooks, those that are left to the operator’s keys',
    wholeNumber(0, 10_000),
  ),
} as const
