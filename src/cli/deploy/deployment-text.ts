import type { Session } from '../support/service-command.ts'
import { printable } from '../support/table.ts'
import type { Conflict, Deployment, Wanted } from './deployment.ts'

/** Where the files are, with the page that a browser begins with where there is one. */
export function shownUrl(
  { preview, hasIndex, promotion }: Pick<Deployment, 'preview' | 'hasIndex' | 'promotion'>,
  { zone, prefix, preview: name }: Wanted,
  { connection }: Pick<Session, 'connection'>,
): string {
  const base =
    name === undefined || promotion !== undefined
      ? `${connection.url.replace(/(?<!\/)\/+$/u, '')}/${zone}/v1/`
      : previewUrl(preview)
  const below = prefix === 'v1' ? base : `${base}${prefix.slice('v1/'.length)}/`
  return hasIndex ? `${below}index.html` : below
}

/** Where there is a host name for it that is best: pages may have scripts there, and links from `/` lead on. */
export const previewUrl = ({ HostUrl, Url }: Deployment['preview']): string =>
  HostUrl === null ? Url : `${HostUrl}v1/`

/** Which files two sides have changed, and what to do. */
export const conflictLines = (conflicts: readonly Conflict[]): readonly string[] =>
  conflicts.length === 0
    ? []
    : [
        'Nothing became live: these files were changed there meanwhile.',
        ...conflicts.map(({ Path }) => `  ${printable(Path)}`),
      ]
