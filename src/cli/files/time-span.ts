import { UsageError } from '../support/command.ts'

const secondsByUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 }
/** No URL that stands for a key is good for longer. */
const maxSeconds = 7 * 86_400

/** What `--for` says: `90s`, `15m`, `1h`, `7d`. */
export function secondsOf(text: string): number {
  const [, count, unit = ''] = /^(\d{1,7})([smhd])$/u.exec(text) ?? []
  const seconds = Number(count) * (secondsByUnit[unit] ?? Number.NaN)
  if (!(seconds >= 1 && seconds <= maxSeconds))
    throw new UsageError('--for must be a time of at most seven days, e.g. 90s, 15m, 1h or 7d')
  return seconds
}
