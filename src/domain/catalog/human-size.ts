const units = [
  { name: 'KB', digits: 1 },
  { name: 'MB', digits: 1 },
  { name: 'GB', digits: 2 },
] as const

/** A size for people, base 1024: `0 B`, `17 B`, `1.5 KB`, `3.2 MB`, `1.25 GB`. GB is the largest unit. */
export function humanSize(sizeBytes: number): string {
  if (sizeBytes < 1024) return `${sizeBytes} B`
  let value = sizeBytes
  for (const { name, digits } of units) {
    value /= 1024
    const text = value.toFixed(digits)
    // Rounding must not show 1024 of a unit where the next unit has a name for it.
    if (Number(text) < 1024 || name === 'GB') return `${text} ${name}`
  }
  throw new RangeError(`sizeBytes must be a number, not ${sizeBytes}`)
}
