import sharp from 'sharp'

const windowSide = 8
const step = 4
const c1 = (0.01 * 255) ** 2
const c2 = (0.03 * 255) ** 2

/**
 * Mean structural similarity (Wang et al. 2004) of the luma of two images of one size, over windows
 * of 8 by 8; what is transparent is put on white.
 */
export async function ssim(one: Uint8Array, other: Uint8Array): Promise<number> {
  const [a, b] = await Promise.all([lumaOf(one), lumaOf(other)])
  if (a.width !== b.width || a.height !== b.height)
    throw new Error(`Sizes differ: ${a.width}x${a.height} and ${b.width}x${b.height}`)
  let sum = 0
  let count = 0
  for (let y = 0; y + windowSide <= a.height; y += step)
    for (let x = 0; x + windowSide <= a.width; x += step) {
      sum += windowSimilarity(a, b, y * a.width + x)
      count += 1
    }
  return sum / count
}

interface Luma {
  readonly width: number
  readonly height: number
  readonly values: Uint8Array
}

async function lumaOf(bytes: Uint8Array): Promise<Luma> {
  const { data, info } = await sharp(bytes)
    .flatten({ background: '#ffffff' })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  return { width: info.width, height: info.height, values: data }
}

function windowSimilarity(a: Luma, b: Luma, start: number): number {
  const size = windowSide * windowSide
  let [sumA, sumB, squaresA, squaresB, products] = [0, 0, 0, 0, 0]
  for (let row = 0; row < windowSide; row += 1)
    for (let column = 0; column < windowSide; column += 1) {
      const place = start + row * a.width + column
      const [x, y] = [a.values[place] ?? 0, b.values[place] ?? 0]
      sumA += x
      sumB += y
      squaresA += x * x
      squaresB += y * y
      products += x * y
    }
  const [meanA, meanB] = [sumA / size, sumB / size]
  const varianceA = squaresA / size - meanA ** 2
  const varianceB = squaresB / size - meanB ** 2
  const covariance = products / size - meanA * meanB
  return (
    ((2 * meanA * meanB + c1) * (2 * covariance + c2)) /
    ((meanA ** 2 + meanB ** 2 + c1) * (varianceA + varianceB + c2))
  )
}
