import { useMemo, useState } from 'react'

import { t } from '../language/text.ts'
import { useSearch } from '../router.tsx'

export const periods = [
  { value: '1h', label: t('Last hour'), hours: 1 },
  { value: '24h', label: t('24 hours'), hours: 24 },
  { value: '7d', label: t('7 days'), hours: 168 },
  { value: 'all', label: t('All that is kept'), hours: 2_160 },
] as const
const usualPeriod = periods[1]

const hourMs = 3_600_000

const isMoment = (text: string | undefined): text is string =>
  text !== undefined && Number.isFinite(Date.parse(text))

export type RequestQuery = ReturnType<typeof useRequestQuery>

/** What is asked for, as the URL of the page says it. */
export function useRequestQuery() {
  const [{ q = '', since, from, to }, change] = useSearch()
  const [showsOwn, showOwn] = useState(false)
  const period = periods.find(({ value }) => value === since) ?? usualPeriod
  const input = useMemo(
    () => ({
      q: showsOwn ? q : `${q} -by:session`.trim(),
      from: isMoment(from) ? from : new Date(Date.now() - period.hours * hourMs).toISOString(),
      ...(isMoment(from) && isMoment(to) && { to }),
      limit: 200,
    }),
    [q, showsOwn, period, from, to],
  )
  return {
    q,
    period,
    /** Where a link says from when to when; in place of the period. */
    span: isMoment(from) ? { from, to: isMoment(to) ? to : undefined } : undefined,
    showsOwn,
    showOwn,
    input,
    ask: (next: string) => change({ q: next }),
    choosePeriod: (value: string) => change({ since: value, from: undefined, to: undefined }),
  }
}
