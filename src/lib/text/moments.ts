/** RFC 3339, which says to which moment it is: with a time and where on earth that is. */
const moment = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/u
const maxLength = 40

/** The moment that `text` says; `undefined` where it says none, or one that there is not. */
export function readMoment(text: string): Date | undefined {
  if (text.length > maxLength || !moment.test(text)) return undefined
  const at = new Date(text)
  return Number.isFinite(at.getTime()) ? at : undefined
}

/** The same of a value in a query, where a plus that was not encoded is read as a space. */
export const readQueryMoment = (text: string): Date | undefined =>
  readMoment(text.replace(/ (?=\d{2}:\d{2}$)/u, '+'))
