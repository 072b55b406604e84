import { useEffect, useRef } from 'react'

import { t } from '../language/text.ts'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { Button } from '../parts/forms/button.tsx'
import { usePage } from '../router.tsx'
import { ActionCard } from './actions/action-card.tsx'
import { ask, askAgain, type Exchange, isOnItsWay, noteOutcome } from './conversation.ts'
import { limitError } from './limit-error.ts'
import { ShownImages } from './shown-images.tsx'
import { ReplyText, SourceLink } from './reply-text.tsx'
import { suggestionsFor } from './suggestions.ts'

interface ExchangesProps {
  readonly exchanges: readonly Exchange[]
  readonly zoneInView: () => string | undefined
  /** When a link in it leads to a page of the dashboard. */
  readonly onLeave?: (() => void) | undefined
}

/** What was asked and answered; before anything was, what could be. */
export function Exchanges({ exchanges, zoneInView, onLeave }: ExchangesProps) {
  const list = useRef<HTMLDivElement>(null)
  const last = exchanges.at(-1)
  const length = last?.reply.text.length
  useEffect(() => {
    list.current?.scrollTo({ top: list.current.scrollHeight })
  }, [last?.id, length, last?.reply.state])
  return (
    <div
      ref={list}
      className="assistant-body"
      role="region"
      aria-label={t('Conversation')}
      // What scrolls can be scrolled by keys.
      tabIndex={0}
      onClick={({ target }) => {
        const link = (target as Element).closest('a')
        if (link !== null && link.target === '') onLeave?.()
      }}
    >
      {/* Read out when it is whole, not word by word. */}
      <p role="status" className="hidden-text">
        {last !== undefined && spokenOf(last)}
      </p>
      {exchanges.length === 0 && <Beginning zone={zoneInView()} />}
      {exchanges.map((exchange) => (
        <OneExchange key={exchange.id} exchange={exchange} isLast={exchange === last} />
      ))}
    </div>
  )
}

function spokenOf(exchange: Exchange): string {
  if (isOnItsWay(exchange)) return t('The answer is on its way')
  if (exchange.reply.state === 'stopped') return t('Stopped.')
  return exchange.reply.state === 'done' ? exchange.reply.text : ''
}

function Beginning({ zone }: { readonly zone: string | undefined }) {
  const page = usePage()
  return (
    <div className="stack">
      <p>
        {t(
          'Ask about your files or about how something works. Answers name their sources, and what changes something is only prepared for you to confirm.',
        )}
      </p>
      <Questions questions={suggestionsFor(page, zone)} label={t('Suggestions')} />
    </div>
  )
}

interface QuestionsProps {
  readonly questions: readonly string[]
  readonly label: string
}

const Questions = ({ questions, label }: QuestionsProps) => (
  <ul className="ask-questions" aria-label={label}>
    {questions.map((question) => (
      <li key={question}>
        <Button icon="spark" onClick={() => void ask(question)}>
          {question}
        </Button>
      </li>
    ))}
  </ul>
)

interface OneExchangeProps {
  readonly exchange: Exchange
  readonly isLast: boolean
}

function OneExchange({ exchange, isLast }: OneExchangeProps) {
  const { id, question, reply, outcomes } = exchange
  const { text, sources, actions, followUps, state, error } = reply
  return (
    <article className="ask-exchange" aria-label={question} aria-busy={isOnItsWay(exchange)}>
      <h3>{question}</h3>
      {state === 'asking' && (
        <div className="skeleton" aria-hidden="true">
          <span />
          <span />
        </div>
      )}
      <div className="ask-reply">
        <ReplyText text={text} sources={sources} />
      </div>
      {state === 'stopped' && <p className="fine-print">{t('Stopped.')}</p>}
      {state === 'failed' && (
        <Failure error={limitError(error)} onRetry={() => askAgain(exchange)} />
      )}
      {actions.map((action, place) => (
        <ActionCard
          key={JSON.stringify(action)}
          action={action}
          outcome={outcomes[place]}
          onDone={(outcome) => noteOutcome(id, place, outcome)}
        />
      ))}
      <ShownImages sources={sources} />
      {sources.length > 0 && (
        <ol className="answer-sources" aria-label={t('Sources')}>
          {sources.map((source, place) => (
            <li key={`${place} ${source.url}`}>
              <SourceLink {...source}>{source.title}</SourceLink>
            </li>
          ))}
        </ol>
      )}
      {state === 'done' && (
        <div className="row">
          <CopyButton text={text} label={t('Copy the answer')} />
        </div>
      )}
      {isLast && followUps.length > 0 && (
        <Questions questions={followUps} label={t('Follow-up questions')} />
      )}
    </article>
  )
}
