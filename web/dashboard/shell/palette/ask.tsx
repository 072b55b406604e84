import { takeOver } from '../../assistant/conversation.ts'
import { limitError } from '../../assistant/limit-error.ts'
import { openAssistant } from '../../assistant/open-state.ts'
import { ReplyText, SourceLink } from '../../assistant/reply-text.tsx'
import type { Reply } from '../../assistant/reply.ts'
import { t } from '../../language/text.ts'
import { Failure } from '../../parts/feedback/failure.tsx'
import { Button } from '../../parts/forms/button.tsx'
import { useReply } from './use-reply.ts'

interface AskProps {
  readonly question: string
  readonly onAsk: (question: string) => void
  readonly onClose: () => void
}

/** The assistant's answer as it comes, with what it stands on and what could be asked next. */
export function Ask({ question, onAsk, onClose }: AskProps) {
  const { retry, ...reply } = useReply(question)
  const { text, sources, followUps, state, error } = reply
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
      {state === 'failed' && <Failure error={limitError(error)} onRetry={retry} />}
      {sources.length > 0 && (
        <ol className="answer-sources" aria-label={t('Sources')}>
          {sources.map((source, place) => (
            <li key={`${place} ${source.url}`}>
              <SourceLink {...source}>{source.title}</SourceLink>
            </li>
          ))}
        </ol>
      )}
      {state === 'done' && <GoOn question={question} reply={reply} onClose={onClose} />}
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

interface GoOnProps extends Pick<AskProps, 'question' | 'onClose'> {
  readonly reply: Reply
}

/** Into the panel, which stays, and in which what was prepared can be confirmed. */
const GoOn = ({ question, reply, onClose }: GoOnProps) => (
  <div className="row">
    <Button
      kind={reply.actions.length > 0 ? 'primary' : 'plain'}
      icon="right"
      onClick={() => {
        onClose()
        takeOver(question, reply)
        openAssistant()
      }}
    >
      {reply.actions.length > 0 ? t('Look at it and confirm') : t('Go on in the panel')}
    </Button>
  </div>
)
