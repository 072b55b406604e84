/** The order of the bytes of two well-formed texts' UTF-8 forms, which is that of their code points. */
export function compareByBytes(one: string, other: string): number {
  if (one === other) return 0
  const end = Math.min(one.length, other.length)
  for (let place = 0; place < end; place += 1) {
    const unit = one.charCodeAt(place)
    const otherUnit = other.charCodeAt(place)
    if (unit !== otherUnit) return rankOf(unit) - rankOf(otherUnit)
  }
  return one.length - other.length
}

/** Halves of surrogate pairs stand for what is beyond every other unit. */
const rankOf = (unit: number): number => (unit >= 0xd800 && unit < 0xe000 ? unit + 0x1_0000 : unit)
