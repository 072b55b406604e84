/** Which repository a URL is below, and what of it is asked for. */
export interface RepositoryUrl {
  /** `undefined`: the whole one. */
  readonly zone: string | undefined
  /** Below the repository, without a slash at its start. */
  readonly path: string
}

const zonePattern = /^\/git\/(?<zone>[a-z0-9-]{2,64})\.git\/(?<path>.*)$/u
const wholePattern = /^\/git(?:\.git)?\/(?<path>.*)$/u

/** A URL of git's, taken apart: `/git/<zone>.git/…`, `/git/…`, or `/git.git/…` as `git lfs` asks. */
export function repositoryUrlOf(pathname: string): RepositoryUrl {
  const found = zonePattern.exec(pathname)?.groups
  if (found !== undefined) return { zone: found['zone'], path: found['path'] ?? '' }
  return { zone: undefined, path: wholePattern.exec(pathname)?.groups?.['path'] ?? '' }
}
