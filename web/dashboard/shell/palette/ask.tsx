import { t } from '../../language/text.ts'
import { Failure } from '../../parts/feedback/failure.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { ReplyText, SourceLink } from './reply-text.tsx'
import { useReply } from './use-reply.ts'

interface AskProps {
  readonly question: string
  readonly onAsk: (question: string) => void
}

/** The assistant's answer as it comes, with what it stands on and what could be asked next. */
export function Ask({ question, onAsk }: AskProps) {
  const { text, sources, followUps, state, error, retry } = useReply(question)
  const isOnItsWay = state === 'asking' || state === 'answering'
  return (
    <div className="answer" aria-busy={isOnItsWay}>
      <h3>{question}</h3>
      {/* Read out when it is whole, not word by word. */}
      <p role="status" className="hidden-text">
        {state === 'done' ? text : isOnItsWay ? t('The answer is on its way') : ''}
      </p>
      {state === 'asking' && (
        <div className="skeleton" aria-hidden="true">
          <span />
          <span />
        </div>
      )}
      <ReplyText text={text} sources={sources} />
      {state === 'failed' && <Failure error={error} onRetry={retry} />}
      {sources.length > 0 && (
        <ol className="answer-sources" aria-label={t('Sources')}>
          {sources.map((source, place) => (
            <li key={`${place} ${source.url}`}>
              <SourceLink {...source}>{source.title}</SourceLink>
            </li>
          ))}
        </ol>
      )}
      {followUps.length > 0 && (
        <div className="row">
          {followUps.map((next) => (
            <Button key={next} icon="spark" onClick={() => onAsk(next)}>
              {next}
            </Button>
          ))}
        </div>
      )}
    </div>
  )
}
