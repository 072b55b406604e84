import { Timeline } from '../../history/timeline.tsx'
import { t } from '../../language/text.ts'
import { OneZone } from '../../parts/one-zone.tsx'
import { PageHeader } from '../../parts/page-header.tsx'

/** What became of a zone, commit by commit. */
export const Page = () => (
  <>
    <PageHeader
      title={t('History')}
      lead={t(
        'Every change of a zone, with who made it. Look at what it changed, compare any two moments, or go back to one.',
      )}
    />
    <OneZone page="history" what="A history">
      {({ Name }) => <Timeline key={Name} zone={Name} />}
    </OneZone>
  </>
)
