import { locale } from '../language/language.ts'
import { t } from '../language/text.ts'

const steps = ['KB', 'MB', 'GB', 'TB'] as const

/** Bytes for people, base 1024, as the service says them itself but for the browser's decimal sign. */
export function humanBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  let value = bytes / 1024
  let step = 0
  while (value >= 1024 && step < steps.length - 1) {
    value /= 1024
    step += 1
  }
  return `${(step >= 2 ? hundredths : tenths).format(value)} ${steps[step]}`
}

const withDecimals = (digits: number) =>
  new Intl.NumberFormat(locale(), { minimumFractionDigits: digits, maximumFractionDigits: digits })
/** Made once: to make one costs more than a whole row of a list. */
const tenths = withDecimals(1)
const hundredths = withDecimals(2)

const numbers = new Intl.NumberFormat(locale())
export const humanNumber = (value: number): string => numbers.format(value)

const percents = new Intl.NumberFormat(locale(), {
  style: 'percent',
  minimumFractionDigits: 1,
  maximumFractionDigits: 1,
})

/** A share from 0 to 1. */
export const humanShare = (share: number): string => percents.format(share)

const changes = new Intl.NumberFormat(locale(), {
  style: 'percent',
  signDisplay: 'exceptZero',
  maximumFractionDigits: 0,
})

/** By how much something grew: 0.12 is `+12 %`. */
export const humanChange = (change: number): string =>
  change > maxChange
    ? t('{change} or more', { change: changes.format(maxChange) })
    : changes.format(change)

const maxChange = 99

const secondUnits = new Intl.NumberFormat(locale(), {
  style: 'unit',
  unit: 'second',
  maximumSignificantDigits: 3,
})
const millisecondUnits = new Intl.NumberFormat(locale(), {
  style: 'unit',
  unit: 'millisecond',
  maximumSignificantDigits: 3,
})

export const humanMilliseconds = (value: number): string =>
  value >= 1000 ? secondUnits.format(value / 1000) : millisecondUnits.format(value)

const dates = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeZone: 'UTC' })

/** A calendar day as the service counts it: in UTC. */
export const humanDay = (day: string): string => dates.format(new Date(`${day}T00:00Z`))

const moments = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'short' })
export const humanTime = (time: string | Date): string => moments.format(new Date(time))

const exact = new Intl.DateTimeFormat(locale(), { dateStyle: 'medium', timeStyle: 'medium' })
/** To the second: commits may follow one another quickly. */
export const exactTime = (time: string | Date): string => exact.format(new Date(time))

const lengths = [
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const

/** How much longer, as roughly as it is known, e.g. `about 3 minutes left`. */
export function humanTimeLeft(seconds: number): string {
  const [unit, size] = lengths.find(([, each]) => seconds >= each) ?? (['second', 1] as const)
  // Seconds that jump tell nobody anything.
  const step = unit === 'second' ? 5 : 1
  const value = Math.max(step, Math.round(seconds / size / step) * step)
  const style = { style: 'unit', unit, unitDisplay: 'long' } as const
  return t('about {time} left', { time: new Intl.NumberFormat(locale(), style).format(value) })
}

const relative = new Intl.RelativeTimeFormat(locale(), { numeric: 'auto' })
const units: readonly (readonly [Intl.RelativeTimeFormatUnit, number])[] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** How long ago, e.g. `3 minutes ago`. */
export function humanAge(time: string | Date, now: number = Date.now()): string {
  const seconds = Math.round((new Date(time).getTime() - now) / 1000)
  for (const [unit, size] of units)
    if (Math.abs(seconds) >= size) return relative.format(Math.trunc(seconds / size), unit)
  return relative.format(seconds, 'second')
}
