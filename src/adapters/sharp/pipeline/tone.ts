import { withAlpha } from './frames.ts'
import type { FrameStep } from './step.ts'

const white = 255

/** Every channel but the one that says how opaque a pixel is, by a table. */
export const gammaStep: FrameStep = {
  isNeeded: ({ gamma }) => gamma !== undefined,
  apply(frames, { gamma = 1 }) {
    const table = Uint8Array.from({ length: white + 1 }, (_, value) =>
      Math.round(white * (value / white) ** (1 / gamma)),
    )
    const { channels } = frames
    const pixels = new Uint8Array(frames.pixels)
    for (let place = 0; place < pixels.length; place += channels)
      for (let channel = place; channel < place + 3; channel += 1)
        pixels[channel] = table[pixels[channel] ?? 0] ?? 0
    return { ...frames, pixels }
  },
}

export const opacityStep: FrameStep = {
  isNeeded: ({ opacity }) => opacity !== undefined,
  apply(frames, { opacity = 1 }) {
    const faded = withAlpha(frames)
    const { pixels } = faded
    for (let place = 3; place < pixels.length; place += 4)
      pixels[place] = Math.round((pixels[place] ?? 0) * opacity)
    return faded
  },
}
