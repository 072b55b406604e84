import type { ResponseOf } from '../../../src/client/types.ts'
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
          {isDryRun ? 'Would be purged' : 'Purged'}: {whatOf(outcome)}
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
          {humanNumber(remaining)} {remaining === 1 ? 'purge is' : 'purges are'} left today.
        </p>
      </div>
    </div>
  )
}

const shownAtMost = 30

function whatOf({ purged, matches, assets }: Outcome): string {
  if (typeof purged === 'string')
    return assets === undefined ? 'everything' : `everything, ${assetsOf(assets)}`
  const meant = matches?.filter(({ exists }) => exists !== false).length ?? purged.length
  return meant === purged.length
    ? humanNumber(purged.length)
    : `${humanNumber(meant)} of ${humanNumber(purged.length)}`
}

const assetsOf = (count: number): string =>
  `${humanNumber(count)} ${count === 1 ? 'asset' : 'assets'}`

const Meant = ({ match: { exists, assets } }: { readonly match: Match }) => (
  <span className={exists === false ? 'purge-nothing' : 'fine-print'}>
    {' '}
    {exists === false
      ? 'nothing is there'
      : assets === null
        ? 'whatever caches have of it'
        : assetsOf(assets)}
  </span>
)
