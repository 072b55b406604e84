import type { Step } from './step.ts'

/** How much each channel counts for how light a colour is (ITU-R BT.709). */
const lightness = [0.2126, 0.7152, 0.0722] as const
const middle = 128

/** Between each colour and its grey, or beyond the colour. */
const saturate: Step = (image, { adjust }) => {
  if (adjust === undefined || adjust.saturation === 1) return image
  const { saturation } = adjust
  const [red, green, blue] = lightness.map((share) => share * (1 - saturation)) as [
    number,
    number,
    number,
  ]
  return image.recomb([
    [red + saturation, green, blue],
    [red, green + saturation, blue],
    [red, green, blue + saturation],
  ])
}

/** One line through both: brightness is its slope, contrast turns it about the middle. */
const lighten: Step = (image, { adjust }) => {
  if (adjust === undefined || (adjust.brightness === 1 && adjust.contrast === 1)) return image
  const { brightness, contrast } = adjust
  return image.linear(brightness * contrast, middle * (1 - contrast))
}

const tint: Step = (image, { adjust }) =>
  adjust?.tint === undefined ? image : image.tint(adjust.tint)

export const adjustSteps: readonly Step[] = [saturate, lighten, tint]
