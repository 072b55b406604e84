const forms: readonly RegExp[] = [
  // IMF-fixdate
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun), (?<day>\d\d) (?<month>[A-Z][a-z]{2}) (?<year>\d{4}) (?<time>\d\d:\d\d:\d\d) GMT$/u,
  // rfc850-date
  /^(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day, (?<day>\d\d)-(?<month>[A-Z][a-z]{2})-(?<year>\d\d) (?<time>\d\d:\d\d:\d\d) GMT$/u,
  // asctime-date
  /^(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) (?<month>[A-Z][a-z]{2}) (?<day>[ \d]\d) (?<time>\d\d:\d\d:\d\d) (?<year>\d{4})$/u,
]

export const formatHttpDate = (date: Date): string => date.toUTCString()

/**
 * An HTTP-date in any of its three forms (RFC 9110 §5.6.7) as milliseconds since the epoch, or
 * `undefined`. `now` (ms) decides the century of a two-digit year.
 */
export function parseHttpDate(text: string, now = Date.now()): number | undefined {
  const value = text.trim()
  for (const form of forms) {
    const groups = form.exec(value)?.groups
    if (groups !== undefined) return readParts(groups, now)
  }
  return undefined
}

function readParts(parts: Readonly<Record<string, string>>, now: number): number | undefined {
  const { day = '', month = '', year = '', time = '' } = parts
  const canonical = `${day.trim().padStart(2, '0')} ${month} ${fullYear(year, now)} ${time} GMT`
  const date = new Date(canonical)
  // Date rolls 31 February over into March; an HTTP-date may not.
  return date.toUTCString().endsWith(canonical) ? date.getTime() : undefined
}

/** A two-digit year that looks more than 50 years ahead lies in the past. */
function fullYear(digits: string, now: number): string {
  if (digits.length === 4) return digits
  const thisYear = new Date(now).getUTCFullYear()
  const year = thisYear - (thisYear % 100) + Number(digits)
  return String(year > thisYear + 50 ? year - 100 : year)
}
