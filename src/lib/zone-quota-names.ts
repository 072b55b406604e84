/** What a zone may have and use. Part of the public contract: add, never rename. */
export const zoneQuotaNames = [
  'bytes',
  'files',
  'uploads',
  'traffic',
  'requests',
  'new-variants',
  'purges',
  'chats',
  'ai-calls',
  'webhooks',
  'domains',
  'tokens',
] as const
export type ZoneQuotaName = (typeof zoneQuotaNames)[number]
