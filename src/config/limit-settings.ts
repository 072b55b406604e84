import { type ZoneQuotaName, zoneQuotaNames } from '../lib/zone-quota-names.ts'
import { setting, wholeNumber } from './setting.ts'

type ZoneQuotaLimits = Readonly<Partial<Record<ZoneQuotaName, number>>>

const many = wholeNumber(0, 1_000_000_000)
const percent = wholeNumber(0, 100)

/** How much of what all share one tenant, one network, and all together may have. */
export const limitSettings = {
  transformsPerMonth: setting(
    'TRANSFORMS_PER_MONTH',
    '50000',
    'New variants of images in a UTC month; what is made already is free',
    many,
  ),
  transformsZoneShare: setting(
    'TRANSFORMS_ZONE_SHARE',
    '50',
    'Percent of them that go to the images of one zone, where there is more than one zone',
    percent,
  ),
  transformsPerMinute: setting(
    'TRANSFORMS_PER_MINUTE',
    '300',
    'New variants that one network (an IPv4 address, an IPv6 /56) may have made in a minute; one that takes a processor longer than 0.2 s counts for as many as it takes fifths of a second',
    many,
  ),
  transformMaxMs: setting(
    'TRANSFORM_MAX_MS',
    '10000',
    'Milliseconds of a processor that one image may take, as estimated from the sizes of source and result, from what is done and from the format before anything is decoded; what would take more is refused with 422',
    wholeNumber(1, 60_000),
  ),
  historyPerMinute: setting(
    'HISTORY_PER_MINUTE',
    '1200',
    'Files of former commits that one network may have looked up in a minute; what was looked up before is free',
    many,
  ),
  agentCallsPerMinute: setting(
    'AGENT_CALLS_PER_MINUTE',
    '300',
    'Calls at `/mcp` that one token may make in a minute, from wherever; one network may make ten times as many',
    many,
  ),
  pushesPerMinute: setting(
    'PUSHES_PER_MINUTE',
    '60',
    'Pushes to `/git/` that one network may make in a minute',
    many,
  ),
  pushesPerZone: setting(
    'PUSHES_PER_ZONE',
    '60',
    'Pushes in a minute that tokens for some zones may make to a zone',
    many,
  ),
  pushMbPerDay: setting(
    'PUSH_MB_PER_DAY',
    '51200',
    'Megabytes that one network may push in a day, and as many that tokens for some zones may push to a zone; the push that goes beyond is the last',
    many,
  ),
  chatsPerMonth: setting('CHATS_PER_MONTH', '1000', 'Messages of the chat in a UTC month', many),
  chatsPerMinute: setting(
    'CHATS_PER_MINUTE',
    '20',
    'Messages that one network may send in a minute',
    many,
  ),
  chatsPerDay: setting('CHATS_PER_DAY', '200', 'Messages that one network may send in a day', many),
  purgesPerDay: setting('PURGES_PER_DAY', '100', 'Purges in a UTC day', many),
  purgesPerZone: setting(
    'PURGES_PER_ZONE',
    '40',
    'Purges in a UTC day that tokens for some zones may make for a zone',
    many,
  ),
  purgesReserved: setting(
    'PURGES_RESERVED',
    '20',
    'Of the purges of a day, those that are left to whoever has all zones',
    many,
  ),
  operatorReserve: setting(
    'OPERATOR_RESERVE',
    '10',
    'Percent of the monthly limits that requests with a credential for all zones may go beyond them',
    percent,
  ),
  searchesPerMinute: setting(
    'SEARCHES_PER_MINUTE',
    '100',
    'Searches that one network may make in a minute',
    many,
  ),
  healthChecksPerMinute: setting(
    'HEALTH_CHECKS_PER_MINUTE',
    '120',
    'Close looks at the health of the service (`deep=1`) that one network may have in a minute',
    many,
  ),
  beaconsPerMinute: setting(
    'BEACONS_PER_MINUTE',
    '120',
    'Hits that one network may report in a minute',
    many,
  ),
  passkeyCallsPerMinute: setting(
    'PASSKEY_CALLS_PER_MINUTE',
    '30',
    'Requests of one network in a minute to sign in with a passkey',
    many,
  ),
  domainsPerZone: setting(
    'DOMAINS_PER_ZONE',
    '50',
    'Host names that tokens for some zones may give a zone; the operator’s keys may add more',
    many,
  ),
  domainsPerDay: setting(
    'DOMAINS_PER_DAY',
    '20',
    'Host names that tokens for some zones may add to a zone in a UTC day, removed ones among them: for each a certificate may be ordered, and what the ACME server grants is for all',
    many,
  ),
  previewsPerZone: setting(
    'PREVIEWS_PER_ZONE',
    '50',
    'Previews that a zone may have at a time',
    many,
  ),
  previewDays: setting(
    'PREVIEW_DAYS',
    '30',
    'Days without a change after which a preview expires where nothing else was said of it',
    wholeNumber(1, 36_500),
  ),
  tokensPerZone: setting(
    'TOKENS_PER_ZONE',
    '100',
    'Tokens that may reach a zone for a token of its own to make another; the operator’s keys may make more',
    many,
  ),
  uploadGrantsPerZone: setting(
    'UPLOAD_GRANTS_PER_ZONE',
    '1000',
    'Upload grants of a zone that are not over yet',
    many,
  ),
  grantRequestsPerMinute: setting(
    'GRANT_REQUESTS_PER_MINUTE',
    '600',
    'Requests with an upload grant that one network may send in a minute; each piece of a resumable upload is one',
    many,
  ),
  zoneQuotas: setting(
    'ZONE_QUOTAS',
    '',
    `What each zone may have and use where nothing else was said of it: items such as \`bytes=50GB files=100000 traffic=1TB\`, of ${zoneQuotaNames.map((name) => `\`${name}\``).join(', ')}. What is not named is not bounded by it. A number may end in KB, MB, GB or TB`,
    zoneQuotaLimits,
  ),
  webhooks: setting('WEBHOOKS', '25', 'Webhooks in all', many),
  webhooksPerZone: setting(
    'WEBHOOKS_PER_ZONE',
    '5',
    'Webhooks that tokens for some zones may make for a zone',
    many,
  ),
  webhooksReserved: setting(
    'WEBHOOKS_RESERVED',
    '5',
    'Of all webhooks, those that are left to the operator’s keys',
    many,
  ),
} as const

type Limits = {
  readonly [Name in keyof typeof limitSettings]: ReturnType<(typeof limitSettings)[Name]['parse']>
}

/** What counts where nothing is set. */
export const standardLimits = (): Limits =>
  Object.fromEntries(
    Object.entries(limitSettings).map(([name, each]) => [name, each.parse(each.default)]),
  ) as Limits

const powers = { '': 0, KB: 1, MB: 2, GB: 3, TB: 4 } as const

function zoneQuotaLimits(text: string): ZoneQuotaLimits {
  const items = text.split(/[\s,]+/u).filter((item) => item !== '')
  const limits = items.map((item) => {
    const [, word, digits, unit = ''] = /^([a-z-]{1,20})=(\d{1,15})([KMGT]B)?$/u.exec(item) ?? []
    const name = zoneQuotaNames.find((each) => each === word)
    const limit = Number(digits) * 1000 ** powers[unit as keyof typeof powers]
    if (name === undefined || !Number.isSafeInteger(limit))
      throw new Error(
        `must be items such as bytes=50GB, separated by blanks, of ${zoneQuotaNames.join(', ')}`,
      )
    return [name, limit] as const
  })
  return Object.fromEntries(limits)
}
