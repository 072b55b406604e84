import type { RawImage } from './raw-image.ts'

/** Whether an image is flat colours and sharp edges: logos, diagrams, screenshots. */
export const isGraphic = ({ flat, soft }: Steps): boolean =>
  rules.some(({ minFlat, maxSoft }) => flat >= minFlat && soft < maxSoft)

/** Whether there is next to nothing but flat colours: no part of it can be a photograph of anything. */
export const isBare = ({ flat, soft }: Steps): boolean => flat >= 0.95 && soft * (1 - flat) < 0.01

/** A blurred photograph has flat parts too, but where it is not flat its steps are soft. */
const rules = [
  { minFlat: 0.5, maxSoft: 0.75 },
  { minFlat: 0.3, maxSoft: 0.2 },
] as const

const maxSoftStep = 12

export interface Steps {
  /** How many pixels are the same as the one to their right and the one below, 0 to 1. */
  readonly flat: number
  /** Of the others, how many differ by little. */
  readonly soft: number
}

export function measureSteps(image: RawImage): Steps {
  const { width, height } = image
  const count = (width - 1) * (height - 1)
  let flat = 0
  let soft = 0
  for (let y = 0; y < height - 1; y += 1)
    for (let x = 0; x < width - 1; x += 1) {
      const step = stepAt(image, y * width + x)
      if (step === 0) flat += 1
      else if (step <= maxSoftStep) soft += 1
    }
  return { flat: flat / Math.max(1, count), soft: soft / Math.max(1, count - flat) }
}

/** The largest difference of any channel to the neighbours on the right and below. */
function stepAt({ pixels, width, channels }: RawImage, place: number): number {
  const here = place * channels
  const right = here + channels
  const below = here + width * channels
  let largest = 0
  for (let channel = 0; channel < channels; channel += 1) {
    const value = pixels[here + channel] ?? 0
    const toRight = Math.abs(value - (pixels[right + channel] ?? 0))
    const toBelow = Math.abs(value - (pixels[below + channel] ?? 0))
    largest = Math.max(largest, toRight, toBelow)
  }
  return largest
}
