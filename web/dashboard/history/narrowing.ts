/** `v1/icons` of however it is written. */
export function prefixOf(typed: string): string | undefined {
  const plain = typed.trim().replace(/^\/+|(?<!\/)\/+$/gu, '')
  if (plain === '') return undefined
  return plain === 'v1' || plain.startsWith('v1/') ? plain : `v1/${plain}`
}

const two = (value: number): string => String(value).padStart(2, '0')

/** `2026-11-23` where somebody looks at a clock. */
export function dayOf(date: Date): string {
  return `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`
}

/** The last moment of a day of whoever looks. */
export function endOfDay(day: string): string {
  const date = new Date(`${day}T23:59:59`)
  return Number.isFinite(date.getTime()) ? date.toISOString() : day
}
