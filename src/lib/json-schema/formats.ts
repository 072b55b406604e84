const fullDate = /^(\d{4})-(\d\d)-(\d\d)$/u
const fullTime = /^([01]\d|2[0-3]):[0-5]\d:[0-5]\d(?:\.\d{1,9})?(?:Z|[+-]([01]\d|2[0-3]):[0-5]\d)$/u
const email = /^[^\s@]{1,64}@[^\s@.]+(?:\.[^\s@.]+)+$/u
const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/iu
const hostLabel = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/iu
const octet = /^(?:0|[1-9]\d{0,2})$/u
const schemeOfUri = /^[a-z][a-z0-9+.-]*:/iu
const longest = 2_048

function isDate(text: string): boolean {
  const [, year, month, day] = fullDate.exec(text) ?? []
  if (year === undefined) return false
  const date = new Date(`${text}T00:00:00Z`)
  return date.getUTCMonth() + 1 === Number(month) && date.getUTCDate() === Number(day)
}

const bounded =
  (isOf: (text: string) => boolean) =>
  (text: string): boolean =>
    text.length <= longest && isOf(text)

/** What `format` may say. Each looks at a bounded text, once. */
export const formats: Readonly<Record<string, (text: string) => boolean>> = {
  date: bounded(isDate),
  time: bounded((text) => fullTime.test(text)),
  'date-time': bounded(
    (text) => isDate(text.slice(0, 10)) && text[10] === 'T' && fullTime.test(text.slice(11)),
  ),
  email: bounded((text) => email.test(text)),
  hostname: bounded(
    (text) => text.length <= 253 && text.split('.').every((label) => hostLabel.test(label)),
  ),
  ipv4: bounded((text) => {
    const octets = text.split('.')
    return octets.length === 4 && octets.every((each) => octet.test(each) && Number(each) < 256)
  }),
  uri: bounded((text) => schemeOfUri.test(text) && URL.canParse(text)),
  uuid: bounded((text) => uuid.test(text)),
}
