/** The colorants of sRGB, as profiles write them: adapted to D50 (IEC 61966-2-1, ICC.1 Annex E). */
const srgbColorants = {
  rXYZ: [0.4361, 0.2225, 0.0139],
  gXYZ: [0.3851, 0.7169, 0.0971],
  bXYZ: [0.1431, 0.0606, 0.7141],
} as const
const colorantTolerance = 0.003
/** Light at a tenth and at half of the scale: enough to tell the curve of sRGB from plain powers. */
const srgbCurve = [
  [0.1, 0.01002],
  [0.5, 0.21404],
] as const
const curveTolerance = 0.0015

const headerBytes = 128
const tagBytes = 12
const maxTags = 100

/**
 * Whether a profile says no more than that colours are sRGB. Most do; to convert them all the same
 * costs more than everything else that is done with a photograph.
 */
export function isSrgbProfile(profile: Uint8Array): boolean {
  const view = new DataView(profile.buffer, profile.byteOffset, profile.byteLength)
  try {
    return textAt(view, 16) === 'RGB ' && saysSrgb(readTags(view))
  } catch (error) {
    if (error instanceof RangeError) return false
    throw error
  }
}

type Tags = ReadonlyMap<string, DataView>

export function readTags(view: DataView): Tags {
  const tags = new Map<string, DataView>()
  const count = Math.min(maxTags, view.getUint32(headerBytes))
  for (let index = 0; index < count; index += 1) {
    const entry = headerBytes + 4 + index * tagBytes
    const start = view.byteOffset + view.getUint32(entry + 4)
    const size = view.getUint32(entry + 8)
    tags.set(textAt(view, entry), new DataView(view.buffer, start, size))
  }
  return tags
}

/** A table of colours (`A2B0`) would stand above what the colorants say. */
function saysSrgb(tags: Tags): boolean {
  if (tags.has('A2B0')) return false
  const isLike = Object.entries(srgbColorants).every(([name, expected]) => {
    const tag = tags.get(name)
    return (
      tag !== undefined &&
      expected.every(
        (value, index) => Math.abs(fixedAt(tag, 8 + index * 4) - value) <= colorantTolerance,
      )
    )
  })
  return isLike && ['rTRC', 'gTRC', 'bTRC'].every((name) => hasSrgbCurve(tags.get(name)))
}

function hasSrgbCurve(tag: DataView | undefined): boolean {
  if (tag === undefined) return false
  return srgbCurve.every(([at, light]) => Math.abs(lightAt(tag, at) - light) <= curveTolerance)
}

/** A sampled curve, or a formula (ICC.1 §10.6, §10.18). `NaN` for kinds that are not sRGB's. */
function lightAt(tag: DataView, at: number): number {
  const type = textAt(tag, 0)
  if (type === 'para') return parametricLight(tag, at)
  const count = type === 'curv' ? tag.getUint32(8) : 0
  if (count < 2) return Number.NaN
  const place = at * (count - 1)
  const before = tag.getUint16(12 + Math.floor(place) * 2)
  const after = tag.getUint16(12 + Math.ceil(place) * 2)
  return (before + (after - before) * (place % 1)) / 65_535
}

function parametricLight(tag: DataView, at: number): number {
  if (tag.getUint16(8) !== 3) return Number.NaN
  const [g, a, b, c, d] = [12, 16, 20, 24, 28].map((start) => fixedAt(tag, start))
  if (a === undefined || b === undefined || c === undefined || d === undefined) return Number.NaN
  return at >= d ? (a * at + b) ** (g ?? Number.NaN) : c * at
}

const fixedAt = (view: DataView, start: number): number => view.getInt32(start) / 65_536

export const textAt = (view: DataView, start: number): string =>
  String.fromCharCode(...[0, 1, 2, 3].map((index) => view.getUint8(start + index)))
