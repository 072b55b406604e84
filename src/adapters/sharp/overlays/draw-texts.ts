import sharp from 'sharp'

import type { Point, Size, TextJob } from '../../../ports/media/renderer.ts'
import type { DrawnOverlay } from '../pipeline/step.ts'

/** The bundled family; the child's fontconfig knows no other. */
const family = 'Noto Sans'
/** At which a point is a pixel. */
const dpi = 72
const smallestPx = 4
/** What does not fit is drawn again in this share of its size. */
const shrinkStep = 0.8

/** Each text, with what is behind it, in its place on an image of this size. */
export async function drawTexts(
  texts: readonly TextJob[],
  below: Size,
): Promise<readonly DrawnOverlay[]> {
  const drawn: DrawnOverlay[] = []
  for (const text of texts) drawn.push(placed(await fittingLetters(text, below), text, below))
  return drawn
}

/** How much of each pixel is covered, 0 to 255. */
interface Letters extends Size {
  readonly covered: Uint8Array
}

async function fittingLetters(text: TextJob, below: Size): Promise<Letters> {
  const around = 2 * (text.marginPx + (text.box?.paddingPx ?? 0))
  const room = { width: below.width - around, height: below.height - around }
  let sizePx = drawableSize(text)
  let letters = await drawnLetters(text, sizePx)
  while (sizePx > smallestPx && (letters.width > room.width || letters.height > room.height)) {
    sizePx = shrunk(sizePx)
    letters = await drawnLetters(text, sizePx)
  }
  return letters
}

/** What the library draws is no higher. */
const maxDrawnHeight = 30_000
/** In shares of the size of letters. */
const lineHeight = 1.4

/** The size that is wanted, or the largest in which even wide letters come to no more than can be drawn. */
function drawableSize({ text, sizePx, maxWidthPx }: TextJob): number {
  const ownLines = text.split('\n').length
  const heightIn = (size: number) =>
    size * lineHeight * (ownLines + Math.min(text.length, (text.length * size) / maxWidthPx))
  let size = sizePx
  while (size > smallestPx && heightIn(size) > maxDrawnHeight) size = shrunk(size)
  return size
}

const shrunk = (size: number): number => Math.max(smallestPx, Math.floor(size * shrinkStep))

/** Markup in the text is text: what would act is escaped. */
async function drawnLetters(text: TextJob, sizePx: number): Promise<Letters> {
  const style = [text.isBold ? 'Bold' : '', text.isItalic ? 'Italic' : ''].filter(Boolean).join(' ')
  const { data, info } = await sharp({
    text: {
      text: escaped(text.text),
      font: `${family} ${style} ${sizePx}`.replaceAll('  ', ' '),
      width: text.maxWidthPx,
      align: text.align === 'center' ? 'centre' : text.align,
      wrap: 'word-char',
      dpi,
    },
  })
    .toColourspace('b-w')
    .raw()
    .toBuffer({ resolveWithObject: true })
  const { width, height, channels } = info
  const covered = new Uint8Array(width * height)
  for (let index = 0; index < covered.length; index += 1)
    covered[index] = data[index * channels] ?? 0
  return { width, height, covered }
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;')

/** Cut where even the smallest letters are too large. */
function placed(letters: Letters, text: TextJob, below: Size): DrawnOverlay {
  const { box, place, marginPx } = text
  const padding = box?.paddingPx ?? 0
  const size = {
    width: Math.min(below.width, letters.width + 2 * padding),
    height: Math.min(below.height, letters.height + 2 * padding),
  }
  const pixels = new Uint8Array(size.width * size.height * 4)
  if (box !== undefined) fill(pixels, colorOf(box.color, box.opacity))
  ink(pixels, size, { letters, padding, color: colorOf(text.color, text.opacity) })
  const corner = cornerOf(size, below, { place, marginPx })
  return { box: { ...size, ...corner }, opacity: 1, pixels }
}

type Color = readonly [red: number, green: number, blue: number, opacity: number]

const colorOf = (hex: string, opacity: number): Color => {
  const value = Number.parseInt(hex.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255, opacity]
}

function fill(pixels: Uint8Array, [red, green, blue, opacity]: Color): void {
  const pixel = [red, green, blue, Math.round(opacity * 255)]
  for (let place = 0; place < pixels.length; place += 4) pixels.set(pixel, place)
}

interface Inking {
  readonly letters: Letters
  readonly padding: number
  readonly color: Color
}

/** Source over (Porter and Duff), of colours that are not premultiplied. */
function ink(pixels: Uint8Array, size: Size, { letters, padding, color }: Inking): void {
  const [red, green, blue, opacity] = color
  const rows = Math.min(letters.height, size.height - padding)
  const columns = Math.min(letters.width, size.width - padding)
  for (let y = 0; y < rows; y += 1)
    for (let x = 0; x < columns; x += 1) {
      const above = ((letters.covered[y * letters.width + x] ?? 0) / 255) * opacity
      if (above === 0) continue
      const at = ((y + padding) * size.width + x + padding) * 4
      const below = ((pixels[at + 3] ?? 0) / 255) * (1 - above)
      const mixed = (ours: number, theirs = 0) =>
        Math.round((ours * above + theirs * below) / (above + below))
      pixels[at] = mixed(red, pixels[at])
      pixels[at + 1] = mixed(green, pixels[at + 1])
      pixels[at + 2] = mixed(blue, pixels[at + 2])
      pixels[at + 3] = Math.round((above + below) * 255)
    }
}

interface Placing {
  readonly place: Point
  readonly marginPx: number
}

function cornerOf(size: Size, below: Size, { place, marginPx }: Placing) {
  const start = (at: number, length: number, whole: number): number => {
    const room = whole - length
    const margin = Math.min(marginPx, room)
    if (at === 0.5) return Math.round(room / 2)
    return at === 0 ? margin : room - margin
  }
  return {
    left: start(place.x, size.width, below.width),
    top: start(place.y, size.height, below.height),
  }
}
