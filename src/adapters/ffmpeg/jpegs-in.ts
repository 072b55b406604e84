/** The JPEGs that lie one after another. Within one, what looks like its end is followed by other bytes. */
export function jpegsIn(bytes: Uint8Array): readonly Uint8Array[] {
  const found: Uint8Array[] = []
  let start = 0
  for (let end = bytes.indexOf(0xff); end !== -1; end = bytes.indexOf(0xff, end + 1)) {
    const isEnd = bytes[end + 1] === 0xd9
    const isLast = end + 2 === bytes.length
    if (!isEnd || !(isLast || (bytes[end + 2] === 0xff && bytes[end + 3] === 0xd8))) continue
    found.push(bytes.subarray(start, end + 2))
    start = end + 2
  }
  return found
}
