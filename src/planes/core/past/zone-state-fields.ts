import { z } from 'zod'

import type { ZoneState } from '../../../domain/content/past/zone-states.ts'
import { invalid } from '../../../domain/errors.ts'
import { readQueryMoment } from '../../../lib/text/moments.ts'

const commitPattern = /^[0-9a-f]{7,40}$/u

/** A moment of a zone in a query, whichever way it is named. */
export const zoneState = (what: string) =>
  z
    .string()
    .describe(`${what}: a commit, the first digits of it, at least 7, or a moment (RFC 3339)`)

/** What such text names. */
export function readZoneState(text: string, target: string): ZoneState {
  if (commitPattern.test(text)) return { commit: text }
  const moment = readQueryMoment(text)
  if (moment === undefined)
    throw invalid(
      target,
      'must be 7 to 40 digits of lower-case hex, or a date with time and offset (RFC 3339)',
    )
  return { moment }
}
