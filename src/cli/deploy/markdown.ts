import { humanSize } from '../../domain/catalog/human-size.ts'
import { counted } from '../../lib/text/visible-text.ts'
import type { Deployment, Wanted } from './deployment.ts'
import { countsText, type PreviewDifference, sizesText } from './differences.ts'

/** A comment of GitHub has room for 65,536 characters, a path for 1,024 bytes. */
const mostRows = 40
const longestPath = 200

/** What was deployed, for a pull or merge request: where it is, and how large images were and are. */
export function markdownOf(
  { preview, differences, failed, sentBytes }: Deployment,
  wanted: Wanted,
  address: string,
): string {
  const { Differences: all, Added, Changed, Removed, Conflicts } = differences
  const images = all.filter(isImage)
  const others = Added + Changed + Removed - images.length
  const head =
    wanted.preview === undefined ? `Zone \`${wanted.zone}\`` : `Preview \`${preview.Name}\``
  return [
    `### ${head}`,
    `<${urlOf(address)}>`,
    `${countsText({ Added, Changed, Removed, Conflicts })} against what is live; ${humanSize(sentBytes)} sent.`,
    ...(images.length === 0 ? [] : [tableOf(images)]),
    ...(images.length > 0 && others > 0 ? [`And ${counted(others, 'other file')}.`] : []),
    ...(failed.length === 0 ? [] : [`**${counted(failed.length, 'file')} could not be stored.**`]),
  ]
    .map((paragraph) => `${paragraph}\n`)
    .join('\n')
}

const isImage = ({ Before, After }: PreviewDifference): boolean =>
  (After ?? Before)?.ContentType.startsWith('image/') === true

function tableOf(images: readonly PreviewDifference[]): string {
  const rows = images.slice(0, mostRows).map(({ Path, Change, Before, After }) => {
    const name = After === null ? codeOf(Path) : `[${codeOf(Path)}](${urlOf(After.Url)})`
    return `| ${name} | ${Change} | ${sizesText(Before, After)} |`
  })
  const left = images.length - rows.length
  const rest = left > 0 ? [`| … and ${left} more | | |`] : []
  return ['| Image | | Size |', '| --- | --- | --- |', ...rows, ...rest].join('\n')
}

/** Nothing of a path is read as Markdown or as HTML. */
function codeOf(path: string): string {
  const text = path.replaceAll(/[\p{Cc}`|\\]/gu, '\ufffd')
  const end = text.slice(-longestPath).toWellFormed()
  return `\`${text.length > longestPath ? `…${end}` : text}\``
}

/** Of the service, with what would end a link spelled otherwise. */
const urlOf = (url: string): string =>
  url.replaceAll(/[^\w\-.~:/?#@!$&*+,;=%]/gu, (each) =>
    [...Buffer.from(each)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join(''),
  )
