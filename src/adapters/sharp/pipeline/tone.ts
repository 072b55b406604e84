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
    const { pixels: before } = frames
    const pixels = new Uint8Array(before.length)
    for (let place = 0; place < pixels.length; place += 1)
      pixels[place] = table[before[place] ?? 0] ?? 0
    if (frames.channels === 4)
      for (let place = 3; place < pixels.length; place += 4) pixels[place] = before[place] ?? 0
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
