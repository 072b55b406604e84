const hourMs = 3_600_000
const maxNameLength = 64

/** Whether there is a time zone of that name, e.g. `Europe/Berlin`; in the IANA database's spelling. */
export function isTimeZone(name: string): boolean {
  if (name.length === 0 || name.length > maxNameLength) return false
  try {
    return new Intl.DateTimeFormat('en', { timeZone: name }).format(0) !== ''
  } catch {
    return false
  }
}

/**
 * The hours, in whole hours since 1970, at which days begin in the time zone: the first one is that of the
 * day that has `from` in it, and the last one the end of the day that has `to - 1`. Where a zone is off by
 * part of an hour, its days begin at the first full hour.
 */
export function dayStarts(from: number, to: number, timeZone: string): readonly number[] {
  const dates = new Intl.DateTimeFormat('en', { timeZone, dateStyle: 'short' })
  const dateOf = (hour: number) => dates.format(hour * hourMs)
  let start = from
  while (dateOf(start - 1) === dateOf(from)) start -= 1
  const starts = [start]
  let date = dateOf(start)
  for (let hour = start + 1; ; hour += 1) {
    const next = dateOf(hour)
    if (next === date) continue
    starts.push(hour)
    date = next
    if (hour >= to) return starts
  }
}
