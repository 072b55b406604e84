import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { PageHeader } from '../parts/page-header.tsx'
import { ZoneSelect } from '../parts/forms/zone-select.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { useSearch } from '../router.tsx'
import { RuleDesk } from '../rules/rule-desk.tsx'
import { ruleFiles } from '../rules/rule-files.ts'

/** The files that say what the edge adds, where it sends, and which transforms of images have a name. */
export function Page() {
  const [search, change] = useSearch()
  const file = ruleFiles.find(({ value }) => value === search['file'])?.value ?? '_headers'
  const zone = search['zone']
  return (
    <>
      <PageHeader
        title={t('Edge rules')}
        lead={t(
          'Header fields that responses get, URLs that lead elsewhere, and transforms of images that have a name. Saved rules are live in a moment.',
        )}
      />
      <div className="toolbar">
        <ZoneSelect
          value={zone ?? ''}
          all={t('All zones')}
          onChange={(next) => change({ zone: next === '' ? undefined : next })}
        />
        <Segments
          label={t('File')}
          value={file}
          options={ruleFiles}
          onChange={(next) => change({ file: next })}
        />
      </div>
      {zone !== undefined && (
        <p className="lead-note">
          {rich(
            'Applied after the rules of all zones, to URLs of {zone} alone. Paths are below the zone: <code>/v1/…</code>',
            { zone, code: (text) => <code>{text}</code> },
          )}
        </p>
      )}
      <RuleDesk of={{ file, zone }} added={search['line']} />
    </>
  )
}
