import type { OverlayJob } from '../../../ports/media/renderer.ts'
import { openSource } from '../open-source.ts'
import type { DrawnOverlay } from '../pipeline/step.ts'

/** One after another, and before the image below is opened: only one format may be read at a time. */
export async function drawOverlays(
  overlays: readonly OverlayJob[],
): Promise<readonly DrawnOverlay[]> {
  const drawn: DrawnOverlay[] = []
  for (const { source, ...overlay } of overlays) {
    const { width, height } = overlay.box
    const image = await openSource(source, { isAnimated: false, target: overlay.box })
    const pixels = await image
      .toColourspace('srgb')
      .resize({ width, height, fit: 'fill' })
      .ensureAlpha()
      .raw()
      .toBuffer()
    drawn.push({ ...overlay, pixels })
  }
  return drawn
}
