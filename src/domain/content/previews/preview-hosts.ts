import type { PreviewKey } from '../../../ports/records/preview.ts'
import { isZoneName } from '../zone-name.ts'
import { isPreviewName } from './preview-name.ts'

/** Which preview a host name shows: those of the form `<preview>--<zone>.<PREVIEW_HOST>` show one each. */
export interface PreviewHosts {
  /** `undefined` for any other name. Whether there is such a preview, this does not say. */
  previewOf(hostname: string): PreviewKey | undefined
  /** Whether it can be nothing but a preview's. */
  has(hostname: string): boolean
}

/** Nobody's where `previewHost` is not set. `previewHost`: lower case, without a port. */
export function createPreviewHosts(previewHost: string | undefined): PreviewHosts {
  const end = previewHost === undefined ? undefined : `.${previewHost}`
  const has = (hostname: string): boolean => end !== undefined && hostname.endsWith(end)
  return {
    has,
    previewOf: (hostname) =>
      end !== undefined && has(hostname) ? keyOf(hostname.slice(0, -end.length)) : undefined,
  }
}

/** The names of previews have no two hyphens in a row, so the first two end it. */
function keyOf(label: string): PreviewKey | undefined {
  if (label.length > maxLabelLength) return undefined
  const between = label.indexOf('--')
  const [name, zone] = [label.slice(0, Math.max(0, between)), label.slice(between + 2)]
  return between > 0 && isPreviewName(name) && isZoneName(zone) ? { zone, name } : undefined
}

/**
 * The host name of a preview; `undefined` where it would be none: too long (RFC 1035 §2.3.4), with a hyphen
 * at its end, or one that stands for another name (RFC 5890 §2.3.2.1).
 */
export function hostOfPreview({ zone, name }: PreviewKey, previewHost: string): string | undefined {
  const label = `${name}--${zone}`
  const isName =
    label.length <= maxLabelLength && !label.endsWith('-') && !label.startsWith(otherNamePrefix)
  return isName ? `${label}.${previewHost}` : undefined
}

const maxLabelLength = 63
const otherNamePrefix = 'xn--'
