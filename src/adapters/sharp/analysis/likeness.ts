import type { RawImage } from './raw-image.ts'

/**
 * What an image looks like in 128 bits, as 32 hex digits: those of near duplicates differ in few. First
 * the dHash (whether each of 8 × 8 parts is darker than its neighbour on the right), then the pHash
 * (whether each of the 8 × 8 lowest frequencies of a discrete cosine transform is clearly above their median).
 * `''` of what has too little in it to be told from anything else.
 */
export function likenessOf(image: RawImage): string {
  const grey = greyOf(image, 255)
  const small = averaged(grey, side, side)
  if (deviation(small.levels) >= minDeviation) return hashesOf(grey, small)
  // What is drawn in white on nothing is there on black.
  const onBlack = greyOf(image, 0)
  const smallOnBlack = averaged(onBlack, side, side)
  return deviation(smallOnBlack.levels) < minDeviation ? '' : hashesOf(onBlack, smallOnBlack)
}

/** Levels of grey from 0 to 255, row by row. */
interface Grey {
  readonly levels: Float64Array
  readonly width: number
  readonly height: number
}

const side = 32
const parts = 8
/** A wave of a quarter of a level of 255: what is weaker comes and goes with each encoding. */
const minWeight = (side * side) / 16
/** Of 255. Below it is what encoders make of one colour. */
const minDeviation = 2

const hashesOf = (grey: Grey, small: Grey): string =>
  hexOf(differencesOf(averaged(grey, parts + 1, parts))) + hexOf(frequenciesOf(small))

/** Brightness (ITU-R BT.601) over one level of grey. */
function greyOf({ pixels, width, height, channels }: RawImage, behind: number): Grey {
  const levels = new Float64Array(width * height)
  for (let place = 0; place < levels.length; place += 1) {
    const at = place * channels
    const level =
      0.299 * (pixels[at] ?? 0) + 0.587 * (pixels[at + 1] ?? 0) + 0.114 * (pixels[at + 2] ?? 0)
    const opacity = channels === 4 ? (pixels[at + 3] ?? 0) / 255 : 1
    levels[place] = level * opacity + behind * (1 - opacity)
  }
  return { levels, width, height }
}

/** The same in another size, each level the mean of what it stands for. */
const averaged = (grey: Grey, width: number, height: number): Grey =>
  turned(narrowed(turned(narrowed(grey, width)), height))

function narrowed({ levels, width, height }: Grey, wanted: number): Grey {
  const means = new Float64Array(wanted * height)
  const span = width / wanted
  for (let column = 0; column < wanted; column += 1) {
    const from = column * span
    const to = Math.min(width, from + span)
    for (let row = 0; row < height; row += 1) {
      let sum = 0
      for (let at = Math.floor(from); at < to; at += 1)
        sum += (levels[row * width + at] ?? 0) * (Math.min(to, at + 1) - Math.max(from, at))
      means[row * wanted + column] = sum / span
    }
  }
  return { levels: means, width: wanted, height }
}

/** Rows for columns. */
function turned({ levels, width, height }: Grey): Grey {
  const other = new Float64Array(levels.length)
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column < width; column += 1)
      other[column * height + row] = levels[row * width + column] ?? 0
  return { levels: other, width: height, height: width }
}

function deviation(levels: Float64Array): number {
  const mean = levels.reduce((sum, level) => sum + level, 0) / levels.length
  return Math.sqrt(levels.reduce((sum, level) => sum + (level - mean) ** 2, 0) / levels.length)
}

function differencesOf({ levels, width, height }: Grey): readonly boolean[] {
  const bits: boolean[] = []
  for (let row = 0; row < height; row += 1)
    for (let column = 0; column + 1 < width; column += 1) {
      const at = row * width + column
      bits.push((levels[at] ?? 0) < (levels[at + 1] ?? 0))
    }
  return bits
}

/** The median leaves the first out: it is the brightness of the whole, and larger than all others. */
function frequenciesOf(grey: Grey): readonly boolean[] {
  const weights = turned(lowest(turned(lowest(grey)))).levels
  const sorted = weights.slice(1).toSorted()
  const median = sorted[Math.floor(sorted.length / 2)] ?? 0
  return Array.from(weights, (weight) => weight > median + minWeight)
}

/** The lowest frequencies of each row (DCT-II). */
function lowest({ levels, width, height }: Grey): Grey {
  const weights = new Float64Array(parts * height)
  for (let row = 0; row < height; row += 1)
    for (let frequency = 0; frequency < parts; frequency += 1) {
      let sum = 0
      for (let at = 0; at < width; at += 1)
        sum +=
          (levels[row * width + at] ?? 0) *
          Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * width))
      weights[row * parts + frequency] = sum
    }
  return { levels: weights, width: parts, height }
}

function hexOf(bits: readonly boolean[]): string {
  let hex = ''
  for (let at = 0; at < bits.length; at += 4)
    hex += bits
      .slice(at, at + 4)
      .reduce((digit, bit) => digit * 2 + Number(bit), 0)
      .toString(16)
  return hex
}
