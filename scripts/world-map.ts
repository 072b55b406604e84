import codes from 'i18n-iso-countries/codes.json'
import atlas from './world-map/countries-110m.json'

/**
 * The countries as SVG paths, from Natural Earth's public data, in the Equal Earth projection
 * (Šavrič, Patterson, Jenny 2018): areas compare as they are.
 */
export function worldMap(): string {
  const alpha2ByNumber = new Map(codes.map(([alpha2, , number]) => [number, alpha2]))
  const countries = atlas.objects.countries.geometries
    .filter(({ properties }) => properties.name !== 'Antarctica')
    .map(({ id, properties, arcs, type }) => ({
      code: alpha2ByNumber.get(id ?? '') ?? '',
      name: properties.name,
      path: pathOf((type === 'Polygon' ? [arcs] : arcs) as readonly (readonly Ring[])[]),
    }))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))
  return JSON.stringify({ width, height, countries }, undefined, 1)
}

/** Numbers of arcs; a complement (`~n`) is the arc the other way round. See the TopoJSON format, §2.1.4. */
type Ring = readonly number[]
type Point = readonly [number, number]

const width = 960
const height = 400
const farthestNorth = 84
const farthestSouth = -57

function pathOf(polygons: readonly (readonly Ring[])[]): string {
  return (
    polygons
      .flat()
      .flatMap((ring) => cutAtTheEdge(ring.flatMap(pointsOf)))
      .map((points) => `M${withoutRepeats(points.map(textOf)).join('L')}Z`)
      // What is smaller than a step of the grid has no area.
      .filter((path) => path.split('L').length > 2)
      .join('')
  )
}

/** A coast that goes on at the other side of the map is two shapes, not a line across it. */
function cutAtTheEdge(points: readonly Point[]): readonly (readonly Point[])[] {
  const shapes: Point[][] = [[]]
  let before: Point | undefined
  for (const point of points) {
    if (before && Math.abs(point[0] - before[0]) > width / 2) shapes.push([])
    shapes.at(-1)?.push(point)
    before = point
  }
  const [first = [], ...others] = shapes
  const last = others.pop() ?? []
  // A ring ends where it began, most likely far from the edge.
  return [[...last, ...first], ...others]
}

function pointsOf(index: number): readonly Point[] {
  const points = decoded(atlas.arcs[index < 0 ? ~index : index] ?? [])
  return index < 0 ? points.toReversed() : points
}

/** Positions are differences to the one before, in steps of the quantisation. */
function decoded(arc: readonly (readonly number[])[]): readonly Point[] {
  const { scale, translate } = atlas.transform
  const [scaleX = 1, scaleY = 1] = scale
  const [left = 0, bottom = 0] = translate
  let x = 0
  let y = 0
  return arc.map(([stepX = 0, stepY = 0]) => {
    x += stepX
    y += stepY
    return projected([x * scaleX + left, y * scaleY + bottom])
  })
}

const [a1, a2, a3, a4] = [1.340264, -0.081106, 0.000893, 0.003796] as const
const root = Math.sqrt(3) / 2
const radians = Math.PI / 180

function equalEarth([longitude, latitude]: Point): Point {
  const t = Math.asin(root * Math.sin(latitude * radians))
  const t2 = t * t
  const t6 = t2 * t2 * t2
  const slope = a1 + 3 * a2 * t2 + t6 * (7 * a3 + 9 * a4 * t2)
  return [
    (longitude * radians * Math.cos(t)) / (root * slope),
    t * (a1 + a2 * t2 + t6 * (a3 + a4 * t2)),
  ]
}

const [halfWidth] = equalEarth([180, 0])
const [, top] = equalEarth([0, farthestNorth])
const [, bottom] = equalEarth([0, farthestSouth])

function projected(place: Point): Point {
  const [x, y] = equalEarth(place)
  return [((x / halfWidth + 1) * width) / 2, ((top - y) / (top - bottom)) * height]
}

const textOf = ([x, y]: Point): string => `${Math.round(x)},${Math.round(y)}`

const withoutRepeats = (points: readonly string[]): readonly string[] =>
  points.filter((point, index) => point !== points[index - 1])
