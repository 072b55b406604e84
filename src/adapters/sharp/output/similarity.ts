const windowSide = 8
const windowArea = windowSide * windowSide
const c1 = (0.01 * 255) ** 2
const c2 = (0.03 * 255) ** 2

export interface Luma {
  readonly width: number
  readonly height: number
  readonly values: Uint8Array
}

/** Mean structural similarity (Wang et al. 2004) of two images of one size, over windows of 8 by 8. */
export function similarityOf(one: Luma, other: Luma): number {
  let sum = 0
  let count = 0
  for (let y = 0; y + windowSide <= one.height; y += windowSide)
    for (let x = 0; x + windowSide <= one.width; x += windowSide) {
      sum += windowSimilarity(one, other, y * one.width + x)
      count += 1
    }
  return count === 0 ? 1 : sum / count
}

function windowSimilarity(a: Luma, b: Luma, start: number): number {
  let [sumA, sumB, squares, products] = [0, 0, 0, 0]
  for (let row = start; row < start + windowSide * a.width; row += a.width)
    for (let place = row; place < row + windowSide; place += 1) {
      const [x, y] = [a.values[place] ?? 0, b.values[place] ?? 0]
      sumA += x
      sumB += y
      squares += x * x + y * y
      products += x * y
    }
  const [meanA, meanB] = [sumA / windowArea, sumB / windowArea]
  const [bothMeans, bothSquares] = [meanA * meanB, meanA ** 2 + meanB ** 2]
  const covariance = products / windowArea - bothMeans
  const variances = squares / windowArea - bothSquares
  return ((2 * bothMeans + c1) * (2 * covariance + c2)) / ((bothSquares + c1) * (variances + c2))
}
