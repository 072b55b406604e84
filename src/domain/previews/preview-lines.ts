import type { PreviewKey } from '../../ports/records/preview.ts'

/** All previews are below it. */
export const previewLines = 'preview/'

/** The line of the repository that a preview is, and the branch that stock git sees. */
export const lineOf = ({ zone, name }: PreviewKey): string => `${previewLines}${zone}/${name}`

/** The preview that a line is; `undefined` of any other. */
export function previewOfLine(line: string): PreviewKey | undefined {
  const [zone, name, ...more] = line.startsWith(previewLines)
    ? line.slice(previewLines.length).split('/')
    : []
  return zone === undefined || name === undefined || more.length > 0 ? undefined : { zone, name }
}
