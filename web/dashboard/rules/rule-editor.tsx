import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { Icon } from '../parts/icon.tsx'
import { NumberedText } from './numbered-text.tsx'
import { fieldsOf, needOf, type RulesOf } from './rule-files.ts'
import type { useDraft } from './use-draft.ts'
import { isOfLines, notesOf, useRuleCheck } from './use-rule-check.ts'

interface RuleEditorProps {
  readonly of: RulesOf
  readonly saved: string
  readonly draft: ReturnType<typeof useDraft>
  readonly onSaved: (text: string) => void
}

const samples = {
  _headers:
    '# Fields that responses get\n/acme/v1/logos/*\n  Cache-Control: public, max-age=3600\n',
  _redirects: '# From, to, status\n/old/* /acme/v1/logos/:splat 301\n',
  _transforms:
    '# Name, parameters: used as ?t=card and /acme/v1/banners/a.jpg/card.avif\ncard  w=400 h=300 fit=cover\n',
} as const

const sampleOf = ({ file, zone }: RulesOf): string =>
  zone === undefined || file === '_transforms'
    ? samples[file]
    : samples[file].replaceAll('/acme/v1/', '/v1/').replace('/old/', '/v1/old/')

/** What was typed stays, whatever becomes of the page's other parts. */
export function RuleEditor({ of, saved, draft, onSaved }: RuleEditorProps) {
  const { text, change } = draft
  const checked = useRuleCheck(of, text, saved)
  const save = useChange('updateRules', {
    changes: ['getRules', 'listRuleVersions', 'explainDraftRules'],
    onSuccess: (_, { body }) => {
      toast(t('The rules are saved.'))
      onSaved(body.Content)
    },
  })
  const isOfSave = save.variables?.body.Content === text
  const notes = isOfSave && !save.isPending ? notesOf(save.error, save.data) : checked.notes
  const fault = isOfSave && !isOfLines(save.error) ? save.error : checked.fault
  return (
    <section className="card stack" aria-label={of.file}>
      <DraftNote draft={draft} isUnsaved={text !== saved} />
      <NumberedText
        label={t('Rules in {file}', { file: of.file })}
        file={of.file}
        value={text}
        placeholder={sampleOf(of)}
        notes={notes}
        onChange={change}
      />
      {fault !== null && <Failure error={fault} />}
      <Outcome isSaved={isOfSave && save.isSuccess && text === saved} isWell={checked.isWell} />
      <div className="row">
        <Button
          kind="primary"
          needs={needOf(of)}
          disabled={text === saved}
          isBusy={save.isPending}
          onClick={() => save.mutate({ body: { ...fieldsOf(of), Content: text } })}
        >
          {t('Save')}
        </Button>
        <Button needs={needOf(of)} isBusy={checked.isBusy} onClick={checked.check}>
          {t('Check')}
        </Button>
        {text !== saved && (
          <Button kind="quiet" icon="undo" onClick={() => change(saved)}>
            {t('Discard changes')}
          </Button>
        )}
      </div>
    </section>
  )
}

/** One sentence on how what is typed stands. */
function Outcome({ isSaved, isWell }: { readonly isSaved: boolean; readonly isWell: boolean }) {
  if (!isSaved && !isWell) return null
  return (
    <p role="status" className="fine-print">
      {isSaved ? t('Saved.') : t('Every line means something.')}
    </p>
  )
}

interface DraftNoteProps {
  readonly draft: RuleEditorProps['draft']
  readonly isUnsaved: boolean
}

function DraftNote({ draft: { isKept, isOutdated }, isUnsaved }: DraftNoteProps) {
  if (!isUnsaved || (!isKept && !isOutdated)) return null
  return (
    <div className="note" role="status">
      <Icon name="info" />
      <p>
        {isOutdated
          ? t('Somebody saved another text since you began. Saving yours takes its place.')
          : t('These changes are from your last visit. They are not saved yet.')}
      </p>
    </div>
  )
}
