import { previewIn } from '../../domain/content/past/version-names.ts'
import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'

/**
 * How long what is made of a version may be used, `usual` where that is what is published: of a commit for
 * ever, of a preview as long as it says that nothing was written to it. Robots do not list previews.
 */
export function versionFields(
  version: string | undefined,
  usual: string,
): Readonly<Record<string, string>> {
  if (version === undefined) return { 'Cache-Control': usual }
  if (previewIn(version) === undefined) return { 'Cache-Control': cacheLifetimes.pinned }
  return { 'Cache-Control': cacheLifetimes.comparedEachTime, 'X-Robots-Tag': 'noindex' }
}

/** The same for what is said of an asset: of a commit's, too, it may be said better tomorrow. */
export const describedVersionFields = (
  version: string | undefined,
  usual: string,
): Readonly<Record<string, string>> =>
  versionFields(
    version !== undefined && previewIn(version) !== undefined ? version : undefined,
    usual,
  )
