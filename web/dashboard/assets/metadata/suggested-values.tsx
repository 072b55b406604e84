import { type ReactNode } from 'react'

import { useChange, useOperation } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Failure } from '../../parts/feedback/failure.tsx'
import { Button } from '../../parts/forms/button.tsx'
import type { MetadataDraft } from './draft.ts'

interface SuggestedValuesProps {
  readonly path: string
  readonly draft: MetadataDraft
  readonly onChange: (draft: MetadataDraft) => void
}

/** What may be said of an image, to be taken into the fields or dismissed. Nothing where there is nothing. */
export function SuggestedValues({ path, draft, onChange }: SuggestedValuesProps): ReactNode {
  const suggested = useOperation('getSuggestions', { path })
  const dismissal = useChange('dismissSuggestions', { changes: ['getSuggestions'] })
  if (suggested.data === undefined) return undefined
  const { Alt, Tags, Vision } = suggested.data
  const alts = Object.entries(Alt).filter(([language]) => (draft.alt[language] ?? '') === '')
  const tags = draft.tags === '' ? Tags : []
  if (alts.length === 0 && tags.length === 0) return undefined
  const dismiss = (member: 'Alt' | 'Tags') =>
    dismissal.mutate({ path, body: { Members: [member] } })
  return (
    <section className="card stack" aria-label={t('Suggested')}>
      <p className="fine-print">
        {Vision === 'seen'
          ? t('A model has seen this image. Look whether it is right.')
          : t('No model has seen this image: this comes from its title, its texts and its name.')}
      </p>
      {dismissal.isError && <Failure error={dismissal.error} />}
      {alts.length > 0 && (
        <Suggestion
          take={t('Take the alternative text')}
          refuse={t('Dismiss the alternative text')}
          onTake={() => onChange({ ...draft, alt: { ...draft.alt, ...Object.fromEntries(alts) } })}
          onDismiss={() => dismiss('Alt')}
        >
          {alts.map(([language, text]) => (
            <q key={language} lang={language}>
              {text}
            </q>
          ))}
        </Suggestion>
      )}
      {tags.length > 0 && (
        <Suggestion
          take={t('Take the tags')}
          refuse={t('Dismiss the tags')}
          onTake={() => onChange({ ...draft, tags: tags.join(', ') })}
          onDismiss={() => dismiss('Tags')}
        >
          {tags.join(', ')}
        </Suggestion>
      )}
    </section>
  )
}

interface SuggestionProps {
  readonly take: string
  readonly refuse: string
  readonly onTake: () => void
  readonly onDismiss: () => void
  readonly children: ReactNode
}

const Suggestion = ({ take, refuse, onTake, onDismiss, children }: SuggestionProps) => (
  <>
    <p>{children}</p>
    <div className="row">
      <Button onClick={onTake}>{take}</Button>
      <Button onClick={onDismiss}>{refuse}</Button>
    </div>
  </>
)
