import type { ZoneRecord } from '../../../ports/records/zone.ts'

/** What webhooks are told of a zone that was changed. */
export const zoneEventData = ({
  name,
  enabled,
  suspended,
  history,
  transformMode,
}: ZoneRecord) => ({
  zone: name,
  enabled,
  suspended,
  ...(history !== undefined && { history }),
  ...(transformMode !== undefined && { transforms: transformMode }),
})
