/**
 * Unpacks rows of run lengths (PackBits, as the Photoshop file format specification names it) into `out`.
 * Throws where a row says more or less than `width` bytes.
 */
export function unpackRow(packed: Uint8Array, out: Uint8Array): void {
  let from = 0
  let to = 0
  while (to < out.length) {
    const head = packed[from]
    if (head === undefined) throw new Error('a row ends too early')
    from += 1
    if (head === 128) continue
    const isRun = head > 128
    const count = isRun ? 257 - head : head + 1
    if (to + count > out.length) throw new Error('a row is too long')
    if (isRun) out.fill(packed[from] ?? 0, to, to + count)
    else out.set(packed.subarray(from, from + count), to)
    from += isRun ? 1 : count
    to += count
  }
}
