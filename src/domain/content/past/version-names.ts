import { minCommitDigits, wholeCommitDigits } from '../../../ports/content/past-commits.ts'
import type { PreviewRecord } from '../../../ports/records/preview.ts'
import { invalid } from '../../errors.ts'
import { parsePreviewName } from '../previews/preview-name.ts'

/** An asset, maybe in another version of its zone than what is published. */
export interface NamedVersion {
  /**
   * The id of a commit or its first digits, or `~` and the name of a preview; `undefined` for what is
   * published.
   */
  readonly version: string | undefined
  /** The rest of the text. */
  readonly text: string
}

/** Takes `@<commit>/` or `@~<preview>/` from the front of a path, or of the path of a URL. */
export function namedVersionIn(text: string): NamedVersion {
  const [, root = '/', version, rest = ''] = versionPattern.exec(text) ?? []
  if (version === undefined) return { version: undefined, text }
  return { version: parseVersion(version), text: `${root}${rest}` }
}

/** How a version is named in paths. */
export const versionedPath = (version: string | undefined, path: string): string =>
  version === undefined ? path : `@${version}/${path}`

/** The name of the preview that a version is of; `undefined` for a commit. */
export const previewIn = (version: string): string | undefined =>
  version.startsWith('~') ? version.slice(1) : undefined

export const isCommitName = (text: string): boolean => commitPattern.test(text)

function parseVersion(text: string): string {
  const name = /^(?:~|%7e)/iu.test(text) ? text.replace(/^(?:~|%7e)/iu, '') : undefined
  if (name !== undefined) return `~${parsePreviewName(name, 'preview')}`
  if (!isCommitName(text))
    throw invalid('commit', `must be ${minCommitDigits} to 40 digits of lower-case hex`)
  return text
}

const versionPattern = /^(https?:\/\/[^/?#]*\/|\/)?(?:@|%40)([^/?#]*)\/([^]*)$/u
const commitPattern = /^[0-9a-f]{7,40}$/u

/**
 * What a preview shows at a time, where commits are looked up by their names. No name of a commit is
 * alike, so nobody has by the commit what only the preview may show.
 */
export const stateOfPreview = ({
  name,
  headCommitId,
}: Pick<PreviewRecord, 'name' | 'headCommitId'>): string => `~${name}:${headCommitId}`

/** The same taken apart; `undefined` for any other text. */
export function previewStateIn(
  text: string,
): Pick<PreviewRecord, 'name' | 'headCommitId'> | undefined {
  const [, name, headCommitId] = statePattern.exec(text) ?? []
  return name === undefined || headCommitId === undefined ? undefined : { name, headCommitId }
}

const statePattern = /^~([a-z0-9-]{1,40}):([0-9a-f]{40})$/u
/** The longest text that names a commit, or the state of a preview. */
export const maxVersionLength = 96

/** Whether it can never mean anything else. */
export const isWholeName = (text: string): boolean =>
  text.length === wholeCommitDigits || previewStateIn(text) !== undefined
