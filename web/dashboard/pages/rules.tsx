import { useOperation } from '../api/queries.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { useSearch } from '../router.tsx'
import { Explain } from '../rules/explain.tsx'
import { RuleEditor } from '../rules/rule-editor.tsx'

const files = [
  { value: '_headers', label: 'Headers' },
  { value: '_redirects', label: 'Redirects' },
] as const
type RuleFile = (typeof files)[number]['value']

/** The two files that say what the edge adds and where it sends. */
export function Page() {
  const [search, change] = useSearch()
  const rules = useOperation('getRules', {})
  const file: RuleFile = search['file'] === '_redirects' ? '_redirects' : '_headers'
  return (
    <>
      <PageHeader
        title="Edge rules"
        lead="Header fields that responses get, and URLs that lead elsewhere. Saved rules are live in a moment."
      />
      <Segments
        label="File"
        value={file}
        options={files}
        onChange={(next) => change({ file: next })}
      />
      <div className="rules">
        <QueryResult query={rules} label="The rules are loading">
          {({ Headers, Redirects }) => (
            <RuleEditor
              key={file}
              file={file}
              saved={(file === '_headers' ? Headers : Redirects) ?? ''}
            />
          )}
        </QueryResult>
        <Explain />
      </div>
    </>
  )
}
