import type { PushOutcome } from '../../../domain/pushes/pushes.ts'
import { counted } from '../../../lib/text/visible-text.ts'
import { visibleText } from '../../../lib/text/visible-text.ts'

const namedPaths = 20
const namedZones = 3
const longestLine = 300

interface Told {
  readonly baseUrl: string
  /** What of each path is not told; empty where all is. */
  readonly root: string
}

/** What whoever pushes is told, a line each. */
export function progressOf(outcome: PushOutcome, { baseUrl, root }: Told): readonly string[] {
  if (outcome.kind === 'published') return publishedLines(outcome, baseUrl)
  if (outcome.kind === 'unfit') return [`refused: the pack cannot be taken: ${outcome.reason}`]
  const { refusals, reason } = outcome
  if (refusals.length === 0) return [`refused: ${reason}`]
  const named = refusals
    .slice(0, namedPaths)
    .map(
      ({ path, why }) =>
        `  ${visibleText(below(root, path), longestLine)}: ${visibleText(why, longestLine)}`,
    )
  const more = refusals.length - named.length
  return [
    `refused, and nothing was published: ${reason}`,
    ...named,
    ...(more > 0 ? [`  and ${counted(more, 'more path')}`] : []),
  ]
}

const below = (root: string, path: string): string =>
  path.startsWith(root) ? path.slice(root.length) : path

function publishedLines(
  { commitId, fileCount, zones, isMerged, preview }: Extract<PushOutcome, { kind: 'published' }>,
  baseUrl: string,
): readonly string[] {
  const files = counted(fileCount, 'file')
  if (preview !== undefined) {
    const { zone, name } = preview
    return [
      `published ${commitId} in the preview ${name} - ${files} at ${baseUrl}/@~${name}/${zone}/v1/`,
    ]
  }
  const places = zones.slice(0, namedZones).map((zone) => `${baseUrl}/${zone}/v1/`)
  const rest = zones.length - places.length
  const where = [...places, ...(rest > 0 ? [`${rest} more`] : [])].join(', ')
  return [
    `published ${commitId} - ${files}${where === '' ? '' : ` at ${where}`}`,
    ...(isMerged ? ['it was merged with what is here: git pull brings the merge'] : []),
  ]
}
