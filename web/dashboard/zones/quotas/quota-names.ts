import type { ResponseOf } from '../../../../src/client/types.ts'
import { t } from '../../language/text.ts'
import { humanBytes, humanNumber } from '../../parts/format.ts'

export type Quota = ResponseOf<'getZoneQuotas'>['Quotas'][number]
export type QuotaName = Quota['Name']

/** Each by what is counted: one that is added to the operation is asked for here. */
const labels: Readonly<Record<QuotaName, string>> = {
  bytes: t('Stored bytes'),
  files: t('Stored files'),
  uploads: t('Uploads in a month'),
  traffic: t('Bytes delivered in a month'),
  requests: t('Requests in a month'),
  'new-variants': t('New variants in a month'),
  purges: t('Purges by its own tokens in a month'),
  chats: t('Chat messages by its own tokens in a month'),
  'ai-calls': t('Images seen by a model in a month'),
  webhooks: t('Webhooks that hear of it'),
  domains: t('Host names'),
  tokens: t('Tokens that reach it'),
}

export const quotaLabel = (name: QuotaName): string => labels[name]

export const quotaAmount = ({ Unit }: Pick<Quota, 'Unit'>, amount: number): string =>
  Unit === 'bytes' ? humanBytes(amount) : humanNumber(amount)
