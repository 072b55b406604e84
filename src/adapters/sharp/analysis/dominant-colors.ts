import type { DominantColor } from '../../../ports/media/image-summary.ts'
import { colorName, type Oklab, oklabOf } from './oklch.ts'
import { fitWithin, type RawImage, smaller } from './raw-image.ts'

const sampleSide = 64
/** Colours that fall into one cube of this side are counted together. */
const cubeSide = 0.08
/** Colours nearer than this look alike. */
const minDistance = 0.13
const minShare = 0.02
const maxColors = 5
const minAlpha = 128

interface Cluster {
  count: number
  red: number
  green: number
  blue: number
}

/** The colours that an image has most of, no two alike. */
export async function dominantColors(image: RawImage): Promise<readonly DominantColor[]> {
  const sample = await smaller(image, fitWithin(image, sampleSide))
  const cubes = countCubes(sample).toSorted((a, b) => b.count - a.count)
  const total = cubes.reduce((sum, { count }) => sum + count, 0)
  const merged: Cluster[] = []
  for (const cube of cubes) {
    const like = merged.find((each) => distance(labOf(each), labOf(cube)) < minDistance)
    if (like) add(like, cube)
    else merged.push({ ...cube })
  }
  return merged
    .toSorted((a, b) => b.count - a.count)
    .filter(({ count }) => count / total >= minShare)
    .slice(0, maxColors)
    .map((cluster) => colorOf(cluster, total))
}

function countCubes({ pixels, channels }: RawImage): readonly Cluster[] {
  const clusterByCube = new Map<number, Cluster>()
  for (let start = 0; start < pixels.length; start += channels) {
    if (channels === 4 && (pixels[start + 3] ?? 255) < minAlpha) continue
    const red = pixels[start] ?? 0
    const green = pixels[start + 1] ?? 0
    const blue = pixels[start + 2] ?? 0
    const cube = cubeOf(oklabOf(red, green, blue))
    const cluster = clusterByCube.get(cube) ?? { count: 0, red: 0, green: 0, blue: 0 }
    clusterByCube.set(cube, cluster)
    add(cluster, { count: 1, red, green, blue })
  }
  return [...clusterByCube.values()]
}

/** No coordinate reaches half of so many cubes. */
const cubesPerAxis = 64

/** Different in each cube. */
const cubeOf = ({ lightness, a, b }: Oklab): number =>
  (placeOn(lightness) * cubesPerAxis + placeOn(a)) * cubesPerAxis + placeOn(b)

const placeOn = (coordinate: number): number => Math.floor(coordinate / cubeSide) + cubesPerAxis / 2

function add(cluster: Cluster, { count, red, green, blue }: Cluster): void {
  cluster.count += count
  cluster.red += red
  cluster.green += green
  cluster.blue += blue
}

const mean = ({ count, red, green, blue }: Cluster) =>
  [red / count, green / count, blue / count] as const

const labOf = (cluster: Cluster): Oklab => oklabOf(...mean(cluster))

const distance = (a: Oklab, b: Oklab): number =>
  Math.hypot(a.lightness - b.lightness, a.a - b.a, a.b - b.b)

function colorOf(cluster: Cluster, total: number): DominantColor {
  const digits = mean(cluster).map((value) => Math.round(value).toString(16).padStart(2, '0'))
  return {
    hex: `#${digits.join('')}`,
    name: colorName(labOf(cluster)),
    share: Math.round((cluster.count / total) * 1000) / 1000,
  }
}
