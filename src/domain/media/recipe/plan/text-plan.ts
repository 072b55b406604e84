import type { Size, TextJob } from '../../../../ports/media/renderer.ts'
import type { OverlayPlace } from '../parameters/overlay-value.ts'
import type { NamedText } from '../parameters/text-value.ts'

/** So far does what is behind a text go beyond its letters, in shares of their size. */
const boxPadding = 0.4

/** A text decided to the pixel, but for how wide the letters are. Lengths are in device pixels. */
export function textJobOf(named: NamedText, below: Size): TextJob {
  const { text, size, color, isBold, isItalic, box, place, align } = named
  const margin = Math.min(named.margin, Math.floor(Math.min(below.width, below.height) / 2) - 1)
  const at = { x: startOf(place, 'west', 'east'), y: startOf(place, 'north', 'south') }
  const padding = box === undefined ? 0 : Math.round(size * boxPadding)
  const room = below.width - 2 * (Math.max(0, margin) + padding)
  return {
    text,
    sizePx: size,
    isBold,
    isItalic,
    color,
    opacity: named.opacity / 100,
    align: align ?? alignments[at.x * 2] ?? 'center',
    place: at,
    marginPx: Math.max(0, margin),
    maxWidthPx: Math.max(1, Math.min(room, Math.round((below.width * named.wrap) / 100))),
    ...(box && {
      box: { color: box.color, opacity: box.opacity / 100, paddingPx: padding },
    }),
  }
}

const alignments = ['left', 'center', 'right'] as const

function startOf(place: OverlayPlace, start: string, end: string): number {
  if (place.includes(start)) return 0
  return place.includes(end) ? 1 : 0.5
}
