const steps = ['KB', 'MB', 'GB', 'TB'] as const

/** Bytes for people, base 1024, as the service says them itself. */
export function humanBytes(bytes: number): string {
  if (bytes < 1024) return `${bytes} B`
  let value = bytes / 1024
  let step = 0
  while (value >= 1024 && step < steps.length - 1) {
    value /= 1024
    step += 1
  }
  return `${value.toFixed(step >= 2 ? 2 : 1)} ${steps[step]}`
}

const numbers = new Intl.NumberFormat()
export const humanNumber = (value: number): string => numbers.format(value)

const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
export const humanTime = (time: string | Date): string => moments.format(new Date(time))

const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })
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
