import { invalid } from '../../errors.ts'

/** A name that is safe in a path, in a ref of git, and as a part of a host name. */
export type PreviewName = string & { readonly __brand: 'PreviewName' }

const previewNamePattern = /^[a-z0-9](?:[a-z0-9-]{0,38}[a-z0-9])?$/

/** Two hyphens stand between the preview and its zone in host names and in names of buckets. */
export const isPreviewName = (text: string): text is PreviewName =>
  previewNamePattern.test(text) && !text.includes('--')

/** Never repaired, refused with `target` where it will not do. */
export function parsePreviewName(text: string, target = 'Name'): PreviewName {
  if (!isPreviewName(text))
    throw invalid(target, `must match ${previewNamePattern.source}, without two hyphens in a row`)
  return text
}
