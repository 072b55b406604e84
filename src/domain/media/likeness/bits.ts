/** 128 bits as four words of 32, signed or not. */
export type Bits = readonly [number, number, number, number]

/** The number of ones in two words of 32 bits. */
export const onesIn = (first: number, second: number): number =>
  Math.imul(onesOfBytes(first) + onesOfBytes(second), 0x01_01_01_01) >>> 24

/** The number of ones of each of four bytes, in that byte. */
function onesOfBytes(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55_55_55_55)
  const quads = (pairs & 0x33_33_33_33) + ((pairs >>> 2) & 0x33_33_33_33)
  return (quads + (quads >>> 4)) & 0x0f_0f_0f_0f
}

const digitsOfWord = 8

/** Of 32 hex digits. */
export function bitsOf(hex: string): Bits {
  const word = (index: number) =>
    Number.parseInt(hex.slice(index * digitsOfWord, (index + 1) * digitsOfWord), 16) | 0
  return [word(0), word(1), word(2), word(3)]
}
