import { useOperation } from '../api/queries.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { ZoneSelect } from '../parts/forms/zone-select.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { useSearch } from '../router.tsx'
import { Explain } from '../rules/explain.tsx'
import { RuleEditor } from '../rules/rule-editor.tsx'

const files = [
  { value: '_headers', label: 'Headers' },
  { value: '_redirects', label: 'Redirects' },
  { value: '_transforms', label: 'Transforms' },
] as const
const memberByFile = {
  _headers: 'Headers',
  _redirects: 'Redirects',
  _transforms: 'Transforms',
} as const

/** The files that say what the edge adds, where it sends, and which transforms of images have a name. */
export function Page() {
  const [search, change] = useSearch()
  const file = files.find(({ value }) => value === search['file'])?.value ?? '_headers'
  const zone = file === '_transforms' ? search['zone'] : undefined
  const rules = useOperation('getRules', zone === undefined ? {} : { zone })
  return (
    <>
      <PageHeader
        title="Edge rules"
        lead="Header fields that responses get, URLs that lead elsewhere, and transforms of images that have a name. Saved rules are live in a moment."
      />
      <Segments
        label="File"
        value={file}
        options={files}
        onChange={(next) => change({ file: next })}
      />
      {file === '_transforms' && (
        <ZoneSelect
          value={zone ?? ''}
          all="All zones"
          onChange={(next) => change({ zone: next === '' ? undefined : next })}
        />
      )}
      <div className="rules">
        <QueryResult query={rules} label="The rules are loading">
          {(saved) => (
            <RuleEditor
              key={`${file} ${zone ?? ''}`}
              file={file}
              zone={zone}
              saved={saved[memberByFile[file]] ?? ''}
              added={search['line']}
            />
          )}
        </QueryResult>
        <Explain />
      </div>
    </>
  )
}
