import type { Input, ResponseOf } from '../../../src/client/types.ts'
import { locale } from '../language/language.ts'
import type { Search } from '../page-parameters.ts'
import { useSearch } from '../router.tsx'

export type Usage = ResponseOf<'getUsage'>
export type UsageTotals = Usage['Totals']
export type UsageDay = Usage['Daily'][number]
export type ZoneUsage = Usage['Zones'][number]
export type UsageInput = Input<'getUsage'>

/** The current month and the twelve before it. */
const monthsKept = 13

/** What the URL of the page says is shown. */
export interface ChosenUsage {
  /** Such as `2027-01`; the current one where left out. */
  readonly month: string | undefined
  /** Empty for all. */
  readonly zone: string
}

export function useChosenUsage(): readonly [ChosenUsage, (changes: Search) => void] {
  const [{ month, zone = '' }, change] = useSearch()
  return [{ month: isMonth(month) ? month : undefined, zone }, change]
}

const isMonth = (text: string | undefined): text is string =>
  text !== undefined && /^\d{4}-(?:0[1-9]|1[0-2])$/u.test(text)

export const usageInput = ({ month, zone }: ChosenUsage): UsageInput => ({
  ...(month !== undefined && { month }),
  ...(zone !== '' && { zone }),
})

/** The months there are, this one first; in UTC, as the service counts days. */
export function monthsUntil(now: Date): readonly string[] {
  const [year, place] = [now.getUTCFullYear(), now.getUTCMonth()]
  return Array.from({ length: monthsKept }, (_, back) => monthOf(Date.UTC(year, place - back, 1)))
}

const monthOf = (moment: number): string => new Date(moment).toISOString().slice(0, 7)

const monthNames = new Intl.DateTimeFormat(locale(), {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})

export const monthName = (month: string): string =>
  monthNames.format(new Date(`${month}-01T00:00Z`))

/**
 * The month before, as far into it as the period reaches into its own: days of a month that has begun are not
 * compared with a whole one. `undefined` where it is kept no more.
 */
export function formerInput(
  { From, Days }: Pick<Usage['Period'], 'From' | 'Days'>,
  { zone, now }: { readonly zone: string; readonly now: Date },
): UsageInput | undefined {
  const begin = new Date(`${From}T00:00Z`)
  const [year, place] = [begin.getUTCFullYear(), begin.getUTCMonth()]
  const former = monthOf(Date.UTC(year, place - 1, 1))
  if (!monthsUntil(now).includes(former)) return undefined
  const isWhole = Days === daysOfMonth(year, place)
  const days = isWhole ? Infinity : Days
  const last = Math.min(days, daysOfMonth(year, place - 1))
  return {
    from: `${former}-01`,
    to: `${former}-${String(last).padStart(2, '0')}`,
    per_page: 1,
    ...(zone !== '' && { zone }),
  }
}

const daysOfMonth = (year: number, place: number): number =>
  new Date(Date.UTC(year, place + 1, 0)).getUTCDate()
