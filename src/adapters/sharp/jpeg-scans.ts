const startOfScan = 0xda
const endOfImage = 0xd9
/** `RSTn` and `TEM` stand alone: no length follows (ITU-T T.81 §B.1.1.3). */
const isBare = (marker: number): boolean => marker === 0x01 || (marker >= 0xd0 && marker <= 0xd8)

const isAlone = (marker: number): boolean => marker === 0 || marker === 0xff || isBare(marker)

/**
 * How many times a JPEG has its whole image gone through, up to `most`. An empty scan takes a few
 * bytes of the file, and a pass over all coefficients. What lies within segments, such as a preview in
 * its own JPEG, is passed over.
 */
export function countScans(bytes: Uint8Array, most: number): number {
  const at = (offset: number): number => bytes[offset] ?? 0
  let scans = 0
  let offset = bytes.indexOf(0xff)
  while (offset !== -1 && scans < most) {
    const marker = at(offset + 1)
    if (marker === endOfImage) return scans
    scans += Number(marker === startOfScan)
    const length = isAlone(marker) ? 0 : (at(offset + 2) << 8) | at(offset + 3)
    offset = bytes.indexOf(0xff, offset + (marker === 0xff ? 1 : 2 + length))
  }
  return scans
}
