import { useQueryClient } from '@tanstack/react-query'

import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Explain } from './explain.tsx'
import { RuleEditor } from './rule-editor.tsx'
import { RuleExamples, withLines } from './rule-examples.tsx'
import { contentIn, type RulesOf, withContent } from './rule-files.ts'
import { RuleVersions } from './rule-versions.tsx'
import { useDraft } from './use-draft.ts'

interface RuleDeskProps {
  readonly of: RulesOf
  /** A line that whoever came here would add. */
  readonly added?: string | undefined
}

/** A rule file with all that helps to write it. */
export function RuleDesk({ of, added }: RuleDeskProps) {
  const rules = useOperation('getRules', queryOfRules(of))
  return (
    <QueryResult query={rules} label={t('The rules are loading')}>
      {(saved) => (
        <Desk
          key={`${of.file} ${of.zone ?? ''}`}
          of={of}
          added={added}
          saved={contentIn(saved, of.file)}
        />
      )}
    </QueryResult>
  )
}

const queryOfRules = ({ zone }: RulesOf) => (zone === undefined ? {} : { zone })

function Desk({ of, added, saved }: RuleDeskProps & { readonly saved: string }) {
  const queries = useQueryClient()
  const draft = useDraft(of, { saved, added })
  const settle = (text: string) => {
    // At once, so that the former text is not seen again in between.
    queries.setQueryData(['getRules', queryOfRules(of)], withContent(of.file, text))
    draft.settle()
  }
  return (
    <div className="rules">
      <div className="stack">
        <RuleEditor of={of} saved={saved} draft={draft} onSaved={settle} />
        <RuleVersions of={of} saved={saved} onRestored={settle} />
      </div>
      <div className="stack">
        <Explain of={of} text={draft.text} />
        <RuleExamples of={of} onInsert={(lines) => draft.change(withLines(draft.text, lines))} />
      </div>
    </div>
  )
}
