import type { Adjustment } from '../../../ports/media/renderer.ts'

/** What each channel of a result takes of each channel of the source. */
export type ColorMatrix = readonly [Row, Row, Row]
type Row = readonly [red: number, green: number, blue: number]

/** How much each channel counts for how light a colour is (ITU-R BT.709). */
const lightness: Row = [0.2126, 0.7152, 0.0722]

/** All changes that mix channels, as one; `undefined` where nothing changes. */
export function colorMatrixOf({ saturation, hue, sepia }: Adjustment): ColorMatrix | undefined {
  const matrices = [
    saturation === 1 ? undefined : saturationMatrix(saturation),
    hue === undefined ? undefined : hueMatrix(hue),
    sepia === undefined ? undefined : sepiaMatrix(sepia),
  ].filter((each) => each !== undefined)
  const [first, ...others] = matrices
  return others.reduce((all: ColorMatrix | undefined, next) => all && product(next, all), first)
}

/** Between each colour and its grey, or beyond the colour. */
const saturationMatrix = (saturation: number): ColorMatrix =>
  matrixOf((row, column) => {
    const grey = lightness[column] ?? 0
    return grey * (1 - saturation) + (row === column ? saturation : 0)
  })

/** Filter Effects Module Level 1, `hue-rotate`. */
function hueMatrix(degrees: number): ColorMatrix {
  const angle = (degrees * Math.PI) / 180
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)]
  const grey: Row = [0.213, 0.715, 0.072]
  const turned = [
    [-0.213, -0.715, 0.928],
    [0.143, 0.14, -0.283],
    [-0.787, 0.715, 0.072],
  ]
  return matrixOf((row, column) => {
    const own = row === column ? cos : 0
    return (grey[column] ?? 0) * (1 - cos) + own + (turned[row]?.[column] ?? 0) * sin
  })
}

/** Filter Effects Module Level 1, `sepia`. */
function sepiaMatrix(amount: number): ColorMatrix {
  const brown = [
    [0.393, 0.769, 0.189],
    [0.349, 0.686, 0.168],
    [0.272, 0.534, 0.131],
  ]
  return matrixOf(
    (row, column) => (brown[row]?.[column] ?? 0) * amount + (row === column ? 1 - amount : 0),
  )
}

const product = (after: ColorMatrix, before: ColorMatrix): ColorMatrix =>
  matrixOf((row, column) =>
    [0, 1, 2].reduce(
      (sum, each) => sum + (after[row]?.[each] ?? 0) * (before[each]?.[column] ?? 0),
      0,
    ),
  )

function matrixOf(valueAt: (row: number, column: number) => number): ColorMatrix {
  const rowOf = (row: number): Row => [valueAt(row, 0), valueAt(row, 1), valueAt(row, 2)]
  return [rowOf(0), rowOf(1), rowOf(2)]
}
