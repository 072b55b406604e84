import type { Row } from './harness.ts'

/** A figure that was measured before, too. Ratios alone: an absolute time is that of a machine and its day. */
export interface Kept extends Row {
  readonly before: number
  readonly now: number
  /** Of what it was, so that less than 1 is worse, whether the figure is to be high or low. */
  readonly change: number
}

/** The rows of a table that `report` has written. */
export function readRows(markdown: string): readonly Row[] {
  return markdown
    .split('\n')
    .filter((line) => line.startsWith('| ') && !line.startsWith('| --- '))
    .map((line) => line.slice(2, -2).split(' | '))
    .filter(([what]) => what !== 'what')
    .map(([what = '', figure = '', measured = '']) => ({ what, figure, measured }))
}

/** The rows of `now` that say a ratio, as they did in `before`, and of which it is known whether more is better. */
export function compareKept(before: readonly Row[], now: readonly Row[]): readonly Kept[] {
  const former = new Map(before.map(({ what, measured }) => [what, ratioOf(measured)]))
  return now.flatMap((row) => {
    const [was, is] = [former.get(row.what), ratioOf(row.measured)]
    const isHigh = row.figure.includes('≥')
    if (was === undefined || is === undefined || isHigh === row.figure.includes('≤')) return []
    return [{ ...row, before: was, now: is, change: isHigh ? is / was : was / is }]
  })
}

/** `undefined` where there is none, or one that nothing can be divided by. */
function ratioOf(measured: string): number | undefined {
  const ratio = Number(/(?<ratio>\d+(?:\.\d+)?)\s?x(?![a-z])/iu.exec(measured)?.groups?.['ratio'])
  return ratio > 0 ? ratio : undefined
}
