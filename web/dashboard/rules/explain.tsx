import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Button } from '../parts/forms/button.tsx'
import { TextField } from '../parts/forms/field.tsx'
import { fieldsOf, type RulesOf } from './rule-files.ts'
import { TriedRules } from './tried-rules.tsx'
import { useLater } from './use-later.ts'

interface ExplainProps {
  readonly of: RulesOf
  /** What is typed, saved or not. */
  readonly text: string
}

/** How the rules treat one URL, with what is being typed in the place of what is saved. */
export function Explain({ of, text }: ExplainProps) {
  const [typed, setTyped] = useState('')
  const [url, setUrl] = useState('')
  const draft = useLater(text)
  const body = { Url: url, ...fieldsOf(of), Content: draft }
  const explained = useOperation(
    'explainDraftRules',
    { body },
    { isEnabled: url !== '', keepsPrevious: true },
  )
  return (
    <section className="card stack">
      <div>
        <h2>{t('Explain a URL')}</h2>
        <p className="fine-print">{t('With the rules as you type them, saved or not.')}</p>
      </div>
      <form
        className="inline-form"
        onSubmit={(event) => {
          event.preventDefault()
          setUrl(typed)
        }}
      >
        <TextField
          label={t('URL')}
          value={typed}
          placeholder={t('/{zone}/v1/logos/logo.svg', { zone: of.zone ?? 'acme' })}
          spellCheck={false}
          autoCapitalize="none"
          onChange={(event) => setTyped(event.target.value)}
        />
        <Button type="submit" disabled={typed === ''}>
          {t('Explain')}
        </Button>
      </form>
      {url !== '' && (
        <QueryResult query={explained} label={t('The rules are being tried')}>
          {(explanation) => <Explained explanation={explanation} />}
        </QueryResult>
      )}
    </section>
  )
}

type Explanation = ResponseOf<'explainDraftRules'>

const Explained = ({ explanation }: { readonly explanation: Explanation }) => {
  const { Redirects, Headers, Action, FieldsBefore, FieldsAfter, Transform } = explanation
  return (
    <div className="stack">
      <TriedRules title={t('Redirects')} rules={Redirects} />
      {Action !== null && <p>{sentenceOf(Action)}</p>}
      <TriedRules title={t('Headers')} rules={Headers} />
      <h3>{t('Header fields from rules')}</h3>
      <Fields fields={FieldsAfter.filter((field) => !isIn(field, FieldsBefore))} />
      {Transform !== null && (
        <>
          <h3>{t('Named transform')}</h3>
          <p>
            {t('{name}, line {line} of the _transforms of {zone}', {
              name: Transform.Name,
              line: Transform.line,
              zone: Transform.Zone ?? t('all zones'),
            })}
          </p>
          <Fields fields={Transform.Parameters} />
        </>
      )}
    </div>
  )
}

const sentenceOf = (action: NonNullable<Explanation['Action']>): string =>
  action.kind === 'redirect'
    ? t('Leads to {location} with {status}.', { location: action.location, status: action.status })
    : t('Is answered with {path}, status {status}.', { path: action.path, status: action.status })

type Field = readonly [string, string]

const isIn = ([name, value]: Field, fields: readonly Field[]): boolean =>
  fields.some((field) => field[0] === name && field[1] === value)

const Fields = ({ fields }: { readonly fields: readonly Field[] }) =>
  fields.length === 0 ? (
    <p className="fine-print">{t('None.')}</p>
  ) : (
    <code className="code-block">
      {fields.map(([name, value]) => `${name}: ${value}`).join('\n')}
    </code>
  )
