import type { ResponseOf } from '../../client/types.ts'
import { humanSize } from '../../domain/catalog/human-size.ts'
import type { Session } from '../support/service-command.ts'
import { printable } from '../support/table.ts'

export type PreviewDifferences = Omit<ResponseOf<'getPreviewDifferences'>, 'Count' | 'Next'>
export type PreviewDifference = PreviewDifferences['Differences'][number]
export type PreviewFile = NonNullable<PreviewDifference['After']>

const pageSize = 500
/** Nobody reads more, and whoever wants all asks the interface. */
const mostShown = 1_000

/** How a preview differs from what is live: the counts of all, and the first thousand by path. */
export async function readDifferences(
  { zone: id, name }: { readonly zone: string; readonly name: string },
  { client }: Pick<Session, 'client'>,
): Promise<PreviewDifferences> {
  const found: PreviewDifference[] = []
  let after: string | undefined
  for (;;) {
    const page = { limit: pageSize, ...(after !== undefined && { after }) }
    const asked = await client.getPreviewDifferences({ id, name, ...page })
    const { Differences: some, Count: _, Next, ...counts } = asked
    found.push(...some)
    if (Next === null || found.length >= mostShown) return { ...counts, Differences: found }
    after = Next
  }
}

const signs = { added: '+', changed: '~', removed: '-' } as const

/** One line each: what of a file is otherwise, and how large it was and is. */
export function differenceLines(
  { Differences: all, ...counts }: PreviewDifferences,
  most: number,
): string {
  const shown = all.slice(0, most)
  const width = Math.max(0, ...shown.map(({ Path }) => Path.length))
  const lines = shown.map(
    ({ Path, Change, Before, After }) =>
      `  ${signs[Change]} ${printable(Path).padEnd(width)}  ${sizesText(Before, After)}`,
  )
  const left = counts.Added + counts.Changed + counts.Removed - shown.length
  return [
    `Against what is live: ${countsText(counts)}`,
    ...lines,
    ...(left > 0 ? [`  … and ${left} more`] : []),
  ]
    .map((line) => `${line}\n`)
    .join('')
}

/** What both sides have changed is told where there is any: it cannot be promoted. */
export function countsText({
  Added,
  Changed,
  Removed,
  Conflicts,
}: Omit<PreviewDifferences, 'Differences'>): string {
  const conflicts = Conflicts === 0 ? '' : `, ${Conflicts} changed on both sides`
  return `${Added} added, ${Changed} changed, ${Removed} removed${conflicts}`
}

/** `1.2 MB → 340.0 KB (−72 %)`. */
export function sizesText(before: PreviewFile | null, after: PreviewFile | null): string {
  const sides = [before, after].flatMap((side) => (side === null ? [] : humanSize(side.Size)))
  return [sides.join(' → '), shareText(before, after)].filter(Boolean).join(' ')
}

function shareText(before: PreviewFile | null, after: PreviewFile | null): string {
  if (before === null || after === null || before.Size === 0) return ''
  const percent = Math.round((after.Size / before.Size - 1) * 100)
  if (percent === 0) return ''
  return `(${percent < 0 ? '−' : '+'}${Math.abs(percent)} %)`
}
