import { useState } from 'react'

import { SedgeError } from '../../../src/client/errors.ts'
import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange } from '../api/queries.ts'
import { Button } from '../parts/forms/button.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { type LineNote, NumberedText } from './numbered-text.tsx'

interface RuleEditorProps {
  readonly file: '_headers' | '_redirects' | '_transforms'
  /** Whose own it is; left out, it is for all zones. */
  readonly zone: string | undefined
  readonly saved: string
  /** A line that whoever came here would add. */
  readonly added?: string | undefined
}

const samples = {
  _headers: '# Fields that answers get\n/acme/v1/logos/*\n  Cache-Control: public, max-age=3600\n',
  _redirects: '# From, to, status\n/old/* /acme/v1/logos/:splat 301\n',
  _transforms:
    '# Name, parameters: used as ?t=card and /acme/v1/banners/a.jpg/card.avif\ncard  w=400 h=300 fit=cover\n',
} as const

const withLine = (text: string, line: string): string =>
  line === '' ? text : `${text.replace(/\n$/u, '')}${text === '' ? '' : '\n'}${line}\n`

/** What was typed stays, whatever becomes of the page's other parts. */
export function RuleEditor({ file, zone, saved, added = '' }: RuleEditorProps) {
  const [text, setText] = useState(() => withLine(saved, added))
  const check = useChange('updateRules', { changes: [] })
  const save = useChange('updateRules', {
    changes: ['getRules', 'explainRules'],
    onSuccess: () => toast('The rules are saved.'),
  })
  const latest = save.isIdle ? check : save
  const body = { File: file, Content: text, ...(zone !== undefined && { Zone: zone }) }
  const change = (next: string) => {
    setText(next)
    check.reset()
    save.reset()
  }
  return (
    <section className="card stack" aria-label={file}>
      <NumberedText
        label={`Rules in ${file}`}
        value={text}
        placeholder={samples[file]}
        notes={notesOf(latest.error, latest.data)}
        onChange={change}
      />
      {latest.isError && <Failure error={latest.error} />}
      {latest.isSuccess && latest.data.Warnings.length === 0 && (
        <p role="status" className="fine-print">
          {latest.data.DryRun ? 'Every line means something.' : 'Saved.'}
        </p>
      )}
      <div className="row">
        <Button
          kind="primary"
          disabled={text === saved}
          isBusy={save.isPending}
          onClick={() => save.mutate({ body })}
        >
          Save
        </Button>
        <Button
          isBusy={check.isPending}
          onClick={() => {
            save.reset()
            check.mutate({ dry_run: true, body })
          }}
        >
          Check
        </Button>
        {text !== saved && (
          <Button kind="quiet" icon="undo" onClick={() => change(saved)}>
            Discard changes
          </Button>
        )}
      </div>
    </section>
  )
}

/** Lines that are refused, one detail each with its number, and lines that may not do what was meant. */
function notesOf(
  error: unknown,
  response: ResponseOf<'updateRules'> | undefined,
): readonly LineNote[] {
  const refused = error instanceof SedgeError ? error.details : []
  return [
    ...refused.map(({ target, message }) => ({
      line: Number(/\d+/u.exec(target ?? '')?.[0] ?? 0),
      message: message ?? 'This line can never take effect',
      isFault: true,
    })),
    ...(response?.Warnings ?? []).map(({ line, message }) => ({ line, message, isFault: false })),
  ]
}
