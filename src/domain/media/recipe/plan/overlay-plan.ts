import type { MediaFacts } from '../../../../ports/media/media-facts-store.ts'
import type { Box, OverlayJob, Size } from '../../../../ports/media/renderer.ts'
import type { NamedOverlay, OverlayPlace } from '../parameters/overlay-value.ts'

/** An overlay with what is known of its image. */
export interface FoundOverlay {
  readonly named: NamedOverlay
  readonly facts: MediaFacts
}

/** An overlay decided to the pixel, but for the file that it is made from. */
export interface OverlayPlan extends Omit<OverlayJob, 'source'> {
  readonly sha256: string
}

export const overlayPlanOf = ({ named, facts }: FoundOverlay, below: Size): OverlayPlan => ({
  sha256: facts.sha256,
  box: boxOf(named, facts.header, below),
  opacity: named.opacity / 100,
  ...(named.isTiled && { gap: named.margin }),
})

/** Never larger than what is below it. */
function boxOf({ width, place, margin, isTiled }: NamedOverlay, natural: Size, below: Size): Box {
  const wanted = width === undefined ? natural.width : (below.width * width) / 100
  const scale = Math.min(wanted, below.width) / natural.width
  const fitting = Math.min(scale, below.height / natural.height)
  const size = {
    width: Math.max(1, Math.round(natural.width * fitting)),
    height: Math.max(1, Math.round(natural.height * fitting)),
  }
  if (isTiled) return { ...size, left: 0, top: 0 }
  const room = { x: below.width - size.width, y: below.height - size.height }
  return {
    ...size,
    left: placed(sideOf(place, 'west', 'east'), room.x, margin),
    top: placed(sideOf(place, 'north', 'south'), room.y, margin),
  }
}

type Side = 'start' | 'middle' | 'end'

function sideOf(place: OverlayPlace, start: string, end: string): Side {
  if (place.includes(start)) return 'start'
  return place.includes(end) ? 'end' : 'middle'
}

function placed(side: Side, room: number, margin: number): number {
  const inside = Math.min(margin, room)
  if (side === 'middle') return Math.round(room / 2)
  return side === 'start' ? inside : room - inside
}
