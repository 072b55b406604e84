import type { ResponseOf } from '../../../src/client/types.ts'
import { locale } from '../language/language.ts'
import { t } from '../language/text.ts'
import { Badge } from '../parts/inline.tsx'
import { humanBytes, humanNumber } from '../parts/format.ts'
import { Icon, type IconName } from '../parts/icon.tsx'

export type Differences = ResponseOf<'getZoneDifferences'>
export type Difference = Differences['Differences'][number]
export type Change = Difference['Change']
export type Moment = Differences['To']

export const changes: readonly Change[] = ['added', 'changed', 'removed']

const faces: Readonly<
  Record<Change, { readonly icon: IconName; readonly kind: 'good' | 'busy' | 'bad' }>
> = {
  added: { icon: 'plus', kind: 'good' },
  changed: { icon: 'pencil', kind: 'busy' },
  removed: { icon: 'minus', kind: 'bad' },
}

export const ChangeBadge = ({
  change,
  word = change,
}: {
  readonly change: Change
  readonly word?: string
}) => (
  <Badge kind={faces[change].kind}>
    <Icon name={faces[change].icon} /> {word}
  </Badge>
)

/** The same as a sign on a thumbnail. */
export const ChangeSign = ({ change }: { readonly change: Change }) => (
  <span className={`change-sign change-${change}`} title={change}>
    <Icon name={faces[change].icon} />
  </span>
)

type Counted = Readonly<Record<'Added' | 'Changed' | 'Removed', number>>

/** How many files, of each change that there was. */
export const ChangeCounts = ({ of }: { readonly of: Counted }) => (
  <span className="row change-counts">
    {changes.map((change) => {
      const count = countOf(of, change)
      return count === 0 ? null : (
        <ChangeBadge key={change} change={change} word={`${humanNumber(count)} ${change}`} />
      )
    })}
  </span>
)

const keys = { added: 'Added', changed: 'Changed', removed: 'Removed' } as const

export const countOf = (of: Counted, change: Change): number => of[keys[change]]
export const countAll = ({ Added, Changed, Removed }: Counted): number => Added + Changed + Removed

/** What became of the size, e.g. `48.0 KB → 12.0 KB (−75.0%)`. */
export function sizeChange({ Before, After, MetadataOnly }: Difference): string {
  if (MetadataOnly) return t('same bytes, described anew')
  if (Before === null) return After === null ? '' : humanBytes(After.Size)
  if (After === null) return humanBytes(Before.Size)
  const share = Before.Size === 0 ? 0 : After.Size / Before.Size - 1
  const percent = Math.abs(share) < 0.0005 ? '' : ` (${percents.format(share)})`
  return `${humanBytes(Before.Size)} → ${humanBytes(After.Size)}${percent}`
}

const percents = new Intl.NumberFormat(locale(), {
  style: 'percent',
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
})

/** A path without the zone and the version, which all of a list have. */
export const pathInZone = (path: string): string => path.split('/').slice(2).join('/')
