import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'

/** How the saved rules treat one address, line by line. */
export function Explain() {
  const [typed, setTyped] = useState('')
  const [url, setUrl] = useState('')
  const told = useOperation('explainRules', { url }, { isEnabled: url !== '' })
  return (
    <section className="card stack">
      <h2>Explain a URL</h2>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          setUrl(typed)
        }}
      >
        <TextField
          label="URL"
          value={typed}
          placeholder="/acme/v1/logos/logo.svg"
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" disabled={typed === ''}>
          Explain
        </Button>
      </form>
      {url !== '' && (
        <QueryResult query={told} label="The rules are being tried">
          {({ Redirects, Headers, Action, FieldsBefore, FieldsAfter, Transform }) => (
            <div className="stack">
              <Tried title="Redirects" rules={Redirects} />
              {Action !== null && <p>{sentenceOf(Action)}</p>}
              <Tried title="Headers" rules={Headers} />
              <h3>Header fields from rules</h3>
              <Fields fields={FieldsAfter.filter((field) => !isIn(field, FieldsBefore))} />
              {Transform !== null && (
                <>
                  <h3>Named transform</h3>
                  <p>
                    {Transform.Name}, line {Transform.line} of the _transforms of{' '}
                    {Transform.Zone ?? 'all zones'}
                  </p>
                  <Fields fields={Transform.Parameters} />
                </>
              )}
            </div>
          )}
        </QueryResult>
      )}
    </section>
  )
}

type Explanation = ResponseOf<'explainRules'>
type TriedRule = Explanation['Redirects'][number]

const outcomeWords: Readonly<Record<TriedRule['outcome'], string>> = {
  matched: 'applies',
  'path-differs': 'other path',
  'condition-not-met': 'condition not met',
  'target-invalid': 'no valid target',
  'not-reached': 'not reached',
}

const sentenceOf = (action: NonNullable<Explanation['Action']>): string =>
  action.kind === 'redirect'
    ? `Leads to ${action.location} with ${action.status}.`
    : `Is answered with ${action.path}, status ${action.status}.`

type Field = readonly [string, string]

const isIn = ([name, value]: Field, fields: readonly Field[]): boolean =>
  fields.some((field) => field[0] === name && field[1] === value)

const Tried = ({
  title,
  rules,
}: {
  readonly title: string
  readonly rules: readonly TriedRule[]
}) => (
  <div>
    <h3>{title}</h3>
    {rules.length === 0 ? (
      <p className="fine-print">No rule.</p>
    ) : (
      <ol className="entries">
        {rules.map(({ line, text, outcome }) => (
          <li key={line}>
            <div>
              <span className="fine-print">{line}</span> <code>{text}</code>
            </div>
            <Badge kind={outcome === 'matched' ? 'good' : 'plain'}>{outcomeWords[outcome]}</Badge>
          </li>
        ))}
      </ol>
    )}
  </div>
)

const Fields = ({ fields }: { readonly fields: readonly Field[] }) =>
  fields.length === 0 ? (
    <p className="fine-print">None.</p>
  ) : (
    <code className="code-block">
      {fields.map(([name, value]) => `${name}: ${value}`).join('\n')}
    </code>
  )
