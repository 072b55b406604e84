/** A colour as people see it: lightness 0 to 1, and the two axes green–red and blue–yellow. */
export interface Oklab {
  readonly lightness: number
  readonly a: number
  readonly b: number
}

/** Ottosson's OKLab of an sRGB colour, channels 0 to 255 (CSS Color 4 §9.2). */
export function oklabOf(red: number, green: number, blue: number): Oklab {
  const [r, g, b] = [linear(red), linear(green), linear(blue)]
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
  return {
    lightness: 0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    a: 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    b: 0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  }
}

function linearOf(channel: number): number {
  const value = channel / 255
  return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4
}

/** Of the channels that pixels have. */
const linearByLevel = Float64Array.from({ length: 256 }, (_, level) => linearOf(level))

const linear = (channel: number): number =>
  Number.isInteger(channel) ? (linearByLevel[channel] ?? linearOf(channel)) : linearOf(channel)

/** From which hue in degrees on a name holds. */
const hueNames = [
  [0, 'pink'],
  [15, 'red'],
  [42, 'orange'],
  [85, 'yellow'],
  [115, 'lime'],
  [135, 'green'],
  [170, 'teal'],
  [200, 'cyan'],
  [235, 'blue'],
  [285, 'purple'],
  [325, 'magenta'],
  [350, 'pink'],
] as const

const maxGreyChroma = 0.03

interface Shade {
  readonly matches: (color: { lightness: number; chroma: number; hue: string }) => boolean
  readonly name: (hue: string) => string
}

/** The first that matches names the colour. */
const shades: readonly Shade[] = [
  { matches: (color) => isBrown(color) && color.lightness < 0.4, name: () => 'dark brown' },
  { matches: (color) => isBrown(color), name: () => 'brown' },
  { matches: ({ lightness }) => lightness < 0.4, name: (hue) => `dark ${hue}` },
  {
    matches: ({ lightness, chroma }) => lightness > 0.85 && chroma < 0.16,
    name: (hue) => `light ${hue}`,
  },
  { matches: ({ chroma }) => chroma < 0.08, name: (hue) => `muted ${hue}` },
  { matches: ({ chroma }) => chroma > 0.16, name: (hue) => `vivid ${hue}` },
  { matches: () => true, name: (hue) => hue },
]

const isBrown = ({ lightness, chroma, hue }: Parameters<Shade['matches']>[0]): boolean =>
  lightness < 0.65 && chroma < 0.13 && (hue === 'orange' || hue === 'yellow')

/** A name in plain words, e.g. `dark blue`, `muted green`, `light gray`. */
export function colorName({ lightness, a, b }: Oklab): string {
  const chroma = Math.hypot(a, b)
  if (chroma <= maxGreyChroma) return greyName(lightness)
  const degrees = ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360
  const hue = hueNames.findLast(([from]) => degrees >= from)?.[1] ?? 'pink'
  return shades.find(({ matches }) => matches({ lightness, chroma, hue }))?.name(hue) ?? hue
}

function greyName(lightness: number): string {
  if (lightness > 0.97) return 'white'
  if (lightness > 0.8) return 'light gray'
  if (lightness > 0.45) return 'gray'
  return lightness > 0.2 ? 'dark gray' : 'black'
}
