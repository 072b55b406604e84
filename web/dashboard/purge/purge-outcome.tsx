import type { Answer } from '../../../src/client/types.ts'
import { humanNumber } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'

/** What was purged, and how often it can be done again today. */
export function PurgeOutcome({ outcome }: { readonly outcome: Answer<'purge'> }) {
  const { purged, dry_run: isDryRun, remaining_today: remaining } = outcome
  const what = typeof purged === 'string' ? purged : humanNumber(purged.length)
  return (
    <div className="note" role="status">
      <Icon name={isDryRun ? 'info' : 'check'} />
      <div>
        <p>
          {isDryRun ? 'Would be purged' : 'Purged'}: {what}
        </p>
        {typeof purged !== 'string' && (
          <ul>
            {purged.slice(0, shownAtMost).map((each) => (
              <li key={each}>
                <code>{each}</code>
              </li>
            ))}
          </ul>
        )}
        <p className="fine-print">{humanNumber(remaining)} purges are left today.</p>
      </div>
    </div>
  )
}

const shownAtMost = 20
