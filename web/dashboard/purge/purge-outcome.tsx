import type { ResponseOf } from '../../../src/client/types.ts'
import { plural, t } from '../language/text.ts'
import { humanNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'

type Outcome = ResponseOf<'purge'>
type Match = NonNullable<Outcome['matches']>[number]

/** What was purged, or would be, and how often it can be done again today. */
export function PurgeOutcome({ outcome }: { readonly outcome: Outcome }) {
  const { purged, dry_run: isDryRun, matches, remaining_today: remaining } = outcome
  return (
    <div className="note" role="status">
      <Icon name={isDryRun ? 'info' : 'check'} />
      <div>
        <p>
          {isDryRun ? t('Would be purged') : t('Purged')}: {whatOf(outcome)}
        </p>
        {typeof purged !== 'string' && (
          <ul>
            {purged.slice(0, shownAtMost).map((each, index) => (
              <li key={each}>
                <code>{each}</code>
                {matches?.[index] && <Meant match={matches[index]} />}
              </li>
            ))}
          </ul>
        )}
        <p className="fine-print">
          {plural(remaining, {
            one: '{count} purge is left today.',
            other: '{count} purges are left today.',
          })}
        </p>
      </div>
    </div>
  )
}

const shownAtMost = 30

function whatOf({ purged, matches, assets }: Outcome): string {
  if (typeof purged === 'string')
    return assets === undefined
      ? t('everything')
      : t('everything, {assets}', { assets: assetsOf(assets) })
  const meant = matches?.filter(({ exists }) => exists !== false).length ?? purged.length
  return meant === purged.length
    ? humanNumber(purged.length)
    : t('{meant} of {total}', { meant: humanNumber(meant), total: humanNumber(purged.length) })
}

const assetsOf = (count: number): string =>
  plural(count, { one: '{count} asset', other: '{count} assets' })

const Meant = ({ match: { exists, assets } }: { readonly match: Match }) => (
  <span className={exists === false ? 'purge-nothing' : 'fine-print'}>
    {' '}
    {exists === false
      ? t('nothing is there')
      : assets === null
        ? t('whatever caches have of it')
        : assetsOf(assets)}
  </span>
)
