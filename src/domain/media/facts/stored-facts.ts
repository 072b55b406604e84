import { createSingleFlight } from '../../../lib/async/single-flight.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import type { Box, Size } from '../../../ports/media/renderer.ts'
import type { FocusedFacts } from '../recipe/plan/gravity.ts'
import {
  asStored,
  type Orientation,
  turnedBox,
  turnedPoint,
  turnedSize,
} from '../recipe/plan/orientation.ts'
import type { Findings } from '../recipe/plan/transform-plan.ts'
import type { Examiner } from './examiner.ts'
import type { Asking, ImageRecord } from './inspection.ts'

export interface Shown {
  readonly facts: FocusedFacts
  readonly findings: Findings
}

/**
 * What is known and found of an image as it is shown, turned to how its pixels are stored. Smaller copies lie
 * as it is shown, so that there are none of it any more.
 */
export type StoredFacts = (image: ImageRecord, shown: Shown, asking: Asking) => Promise<Shown>

const rememberedCount = 10_000

/** The header of each file is read for it once. */
export function createStoredFacts(examiner: Pick<Examiner, 'orientation'>): StoredFacts {
  const known = new LruCache<number>({ maxWeight: rememberedCount, weigh: () => 1 })
  const flights = createSingleFlight<number>()

  return async (image, shown, { priority, signal: leaving }) => {
    const { sha256 } = image
    const { header } = shown.facts
    const read = async (signal: AbortSignal): Promise<number> => {
      const found = await examiner.orientation(image, header, { priority, signal })
      known.set(sha256, found)
      return found
    }
    const exif = known.get(sha256) ?? (await flights.run(sha256, leaving, read)).value
    const orientation = asStored(exif)
    return orientation === undefined ? shown : turned(shown, orientation)
  }
}

function turned({ facts, findings }: Shown, orientation: Orientation): Shown {
  const { header, analysis, focalPoint } = facts
  const { trimmed } = findings
  return {
    facts: {
      ...facts,
      header: { ...header, ...turnedSize(sizeOf(header), orientation) },
      focalPoint: focalPoint && turnedPoint(focalPoint, orientation),
      analysis: analysis && {
        ...analysis,
        faces: analysis.faces.map(({ score, ...face }) => ({
          ...turnedBox(face, orientation),
          score,
        })),
        saliency: {
          point: turnedPoint(analysis.saliency.point, orientation),
          box: turnedBox(analysis.saliency.box, orientation),
        },
        mips: [],
      },
    },
    findings: {
      ...findings,
      isAsStored: true,
      trimmed: trimmed && turnedPixels(trimmed, sizeOf(header), orientation),
    },
  }
}

const sizeOf = ({ width, height }: Size): Size => ({ width, height })

/** A box in pixels of an image of this size, and then in those of the turned one. */
function turnedPixels(box: Box, from: Size, orientation: Orientation): Box {
  const to = turnedSize(from, orientation)
  const shares = {
    left: box.left / from.width,
    top: box.top / from.height,
    width: box.width / from.width,
    height: box.height / from.height,
  }
  const { left, top, width, height } = turnedBox(shares, orientation)
  return {
    left: Math.round(left * to.width),
    top: Math.round(top * to.height),
    width: Math.round(width * to.width),
    height: Math.round(height * to.height),
  }
}
