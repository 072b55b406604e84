import type { Step } from './step.ts'

const transparent = { r: 255, g: 255, b: 255, alpha: 0 }

export const placeOnCanvas: Step = (image, { canvas, resize, output }) => {
  if (canvas === undefined) return image
  const { left, top, size } = canvas
  return image.extend({
    left,
    top,
    right: size.width - left - resize.width,
    bottom: size.height - top - resize.height,
    background: output.format === 'jpeg' ? '#ffffff' : transparent,
  })
}
