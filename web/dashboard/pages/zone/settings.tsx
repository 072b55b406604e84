import { OneZone } from '../../parts/one-zone.tsx'
import { PageHeader } from '../../parts/page-header.tsx'
import { RetentionSettings } from '../../zones/retention-settings.tsx'
import { HistorySettings } from '../../zones/history-settings.tsx'

/** What is set for one zone. */
export const Page = () => (
  <>
    <PageHeader title="Zone settings" lead="What holds for all files of one zone." />
    <OneZone page="zone" what="A setting">
      {(zone) => (
        <div className="stack" key={zone.Id}>
          <HistorySettings zone={zone} />
          <RetentionSettings zone={zone} />
        </div>
      )}
    </OneZone>
  </>
)
