import type { Box, Size } from '../../../../ports/media/renderer.ts'
import { scaleBy, startAround } from './fits.ts'
import { chooseFocus, type ChosenFocus, type FocusedFacts } from './gravity.ts'

export interface SmartCrop {
  /** In pixels of the image as it is shown. */
  readonly box: Box
  /** How its place was chosen. */
  readonly note: ChosenFocus['note']
}

/**
 * The largest part of an image with this ratio of sides, around its subject: the owner's word first, then
 * faces, then what draws the eye. The same that `fit=cover&gravity=face` keeps.
 */
export function smartCrop({ header, ...known }: FocusedFacts, ratio: Size): SmartCrop {
  const scale = Math.min(header.width / ratio.width, header.height / ratio.height)
  const size = atLeastOnePixel(scaleBy(ratio, scale), header)
  const { focus, note } = chooseFocus('face', known)
  const share = { width: size.width / header.width, height: size.height / header.height }
  const { x, y } = focus(share)
  return {
    box: {
      left: Math.round(startAround(x, size.width, header.width)),
      top: Math.round(startAround(y, size.height, header.height)),
      ...size,
    },
    note,
  }
}

const atLeastOnePixel = ({ width, height }: Size, whole: Size): Size => ({
  width: Math.max(1, Math.min(whole.width, Math.round(width))),
  height: Math.max(1, Math.min(whole.height, Math.round(height))),
})
