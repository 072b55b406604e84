import type { Manifest } from '../../../ports/records/manifest.ts'
import type { PreviewKey, PreviewRecord } from '../../../ports/records/preview.ts'

interface Showing {
  readonly manifest: Pick<Manifest, 'preview'>
  readonly now: () => Date
  /** Whether whoever asks has a signature for what is asked. */
  readonly isSigned: boolean
}

/** The preview, where whoever asks may see it: there is one, its time is not over, and it is open. */
export function shownPreview(
  { zone, name }: PreviewKey,
  { manifest, now, isSigned }: Showing,
): PreviewRecord | undefined {
  const preview = manifest.preview(zone, name)
  if (preview === undefined || preview.expiresAt <= now()) return undefined
  return preview.isSigned && !isSigned ? undefined : preview
}

/** Nobody is told which of these it is. */
export const previewNotShown =
  'There is no such preview, its time is over, or it takes a signed URL to see it'
