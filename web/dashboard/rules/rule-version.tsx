import type { ReactNode } from 'react'

import { useChange, useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { hidden } from '../language/hidden-text.tsx'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import { lineChanges } from './line-changes.ts'
import { fieldsOf, needOf, queryOf, type RulesOf } from './rule-files.ts'

interface RuleVersionProps {
  readonly of: RulesOf
  readonly commit: string
  readonly saved: string
  readonly onRestored: (text: string) => void
  readonly onClose: () => void
}

/** What going back to a version would change, and the way to do so. */
export function RuleVersion({ of, commit, saved, onRestored, onClose }: RuleVersionProps) {
  const version = useOperation('getRuleVersion', { commit, ...queryOf(of) })
  const restore = useChange('updateRules', {
    changes: ['getRules', 'listRuleVersions', 'explainDraftRules'],
    onSuccess: (_, { body }) => {
      toast(t('{file} is as it was.', { file: of.file }))
      onRestored(body.Content)
      onClose()
    },
  })
  const content = version.data?.Content
  return (
    <Dialog
      title={t('{file} at {commit}', { file: of.file, commit: commit.slice(0, 7) })}
      isOpen
      shape="wide"
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            icon="undo"
            needs={needOf(of)}
            disabled={content === undefined || content === saved}
            isBusy={restore.isPending}
            onClick={() => restore.mutate({ body: { ...fieldsOf(of), Content: content ?? '' } })}
          >
            {t('Restore')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {restore.isError && <Failure error={restore.error} />}
        <QueryResult query={version} label={t('The version is loading')}>
          {({ Content }) => <Difference before={saved} after={Content} />}
        </QueryResult>
      </div>
    </Dialog>
  )
}

const signs = { same: ' ', added: '+', removed: '−' } as const

/** What becomes of a line, for whoever does not see its sign. */
function changeText(kind: keyof typeof signs, line: ReactNode): ReactNode {
  if (kind === 'added') return rich('<hidden>comes back:</hidden> {line}', { line, hidden })
  if (kind === 'removed') return rich('<hidden>goes:</hidden> {line}', { line, hidden })
  return line
}

function Difference({ before, after }: { readonly before: string; readonly after: string }) {
  if (before === after) return <p>{t('It says what is saved now.')}</p>
  return (
    <div className="line-changes" tabIndex={0} role="region" aria-label={t('What would change')}>
      <ol>
        {lineChanges(before, after).map(({ kind, text }, place) => (
          <li key={place} data-change={kind}>
            <span aria-hidden="true">{signs[kind]} </span>
            {changeText(kind, <code>{text}</code>)}
          </li>
        ))}
      </ol>
    </div>
  )
}
