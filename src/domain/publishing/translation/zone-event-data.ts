import type { ZoneRecord } from '../../../ports/records/zone.ts'

/** What webhooks are told of a zone that was changed. */
export const zoneEventData = ({
  name,
  enabled,
  suspended,
  history,
  historyDays,
  transformMode,
  cacheSeconds,
  metadataPolicy,
  vision,
  moderation,
  languages,
  delivery,
}: ZoneRecord) => ({
  zone: name,
  enabled,
  suspended,
  ...(history !== undefined && { history }),
  ...(historyDays !== undefined && { historyDays }),
  ...(transformMode !== undefined && { transforms: transformMode }),
  ...(cacheSeconds !== undefined && { cacheSeconds }),
  ...(metadataPolicy !== undefined && { metadataPolicy }),
  ...(vision !== undefined && { vision }),
  ...(moderation !== undefined && { moderation }),
  ...(languages !== undefined && { languages: [...languages] }),
  ...(delivery !== undefined && { delivery }),
})
