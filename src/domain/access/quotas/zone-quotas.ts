import type { ZoneQuotaName } from '../../../lib/zone-quota-names.ts'

/** What comes of a quota that is used up. */
export type QuotaHold =
  /** Writes that would go beyond it are refused, whoever sends them: it is the zone that is full. */
  | 'writes'
  /** Nothing new is made of images; whoever asks gets the stored file. */
  | 'delivery'
  /** Tokens for some zones are refused. */
  | 'tokens'
  /** Models of the operator are not asked about the zone. */
  | 'models'

export interface ZoneQuota {
  readonly unit: 'bytes' | 'count'
  /** What comes back in each UTC month; `undefined` for what is there at a time. */
  readonly window: 'month' | undefined
  readonly hold: QuotaHold
  /** What is counted, for people. */
  readonly counts: string
}

/** Every quota of a zone. Settings, interface, documentation and messages are read from it. */
export const zoneQuotas: Readonly<Record<ZoneQuotaName, ZoneQuota>> = {
  bytes: { unit: 'bytes', window: undefined, hold: 'writes', counts: 'bytes of live files' },
  files: { unit: 'count', window: undefined, hold: 'writes', counts: 'live files' },
  uploads: {
    unit: 'count',
    window: 'month',
    hold: 'writes',
    counts: 'files whose bytes were published',
  },
  traffic: { unit: 'bytes', window: 'month', hold: 'delivery', counts: 'bytes delivered' },
  requests: { unit: 'count', window: 'month', hold: 'delivery', counts: 'requests answered' },
  'new-variants': {
    unit: 'count',
    window: 'month',
    hold: 'delivery',
    counts: 'images made that no cache had',
  },
  purges: {
    unit: 'count',
    window: 'month',
    hold: 'tokens',
    counts: 'purges by tokens for some zones',
  },
  chats: {
    unit: 'count',
    window: 'month',
    hold: 'tokens',
    counts: 'messages to the chat by tokens for some zones',
  },
  'ai-calls': {
    unit: 'count',
    window: 'month',
    hold: 'models',
    counts: 'images that a model of the operator looked at',
  },
  webhooks: {
    unit: 'count',
    window: undefined,
    hold: 'tokens',
    counts: 'webhooks that hear of it',
  },
  domains: { unit: 'count', window: undefined, hold: 'tokens', counts: 'host names' },
  tokens: { unit: 'count', window: undefined, hold: 'tokens', counts: 'tokens that reach it' },
}

/** So many percent are a reason to say so. */
export const softPercent = 80

/** `1,500 of 2,000`, with the unit where it is one. */
export const quotaText = (name: ZoneQuotaName, amount: number): string =>
  zoneQuotas[name].unit === 'bytes'
    ? `${amount.toLocaleString('en')} bytes`
    : amount.toLocaleString('en')
