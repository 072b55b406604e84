import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange, useOperation } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Badge, Moment } from '../parts/inline.tsx'
import { Button } from '../parts/forms/button.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { agentName } from './agent-name.ts'

type Session = ResponseOf<'listSessions'>['Sessions'][number]

export function Sessions() {
  const sessions = useOperation('listSessions', {})
  return (
    <section className="card">
      <h2>{t('Signed in')}</h2>
      <QueryResult query={sessions} label={t('The sessions are loading')}>
        {({ Sessions: all }) => (
          <ul className="entries">
            {all.map((session) => (
              <li key={session.id}>
                <div>
                  <p>
                    <span title={session.userAgent ?? undefined}>
                      {agentName(session.userAgent)}
                    </span>{' '}
                    {session.current && <Badge kind="good">{t('this one')}</Badge>}
                  </p>
                  <p className="fine-print">
                    {session.person !== null && `${session.person.name}, `}
                    {t('From {ip} with a {method}, seen', {
                      ip: session.ip,
                      method: session.method,
                    })}
                    <Moment time={session.lastSeenAt} />
                  </p>
                </div>
                {!session.current && <EndSession session={session} />}
              </li>
            ))}
          </ul>
        )}
      </QueryResult>
    </section>
  )
}

function EndSession({ session }: { readonly session: Session }) {
  const end = useChange('endSession', {
    changes: ['listSessions'],
    onSuccess: () => toast(t('The session from {ip} is ended.', { ip: session.ip })),
  })
  return (
    <Button
      kind="quiet"
      icon="exit"
      isBusy={end.isPending}
      onClick={() => end.mutate({ id: session.id }, { onError: (error) => toastFailure(error) })}
    >
      {rich('End<span> the session from {ip}</span>', {
        ip: session.ip,
        span: (text) => <span className="hidden-text">{text}</span>,
      })}
    </Button>
  )
}
