import type { ResponseOf } from '../../../src/client/types.ts'
import { useChange, useOperation } from '../api/queries.ts'
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
      <h2>Signed in</h2>
      <QueryResult query={sessions} label="The sessions are loading">
        {({ Sessions: all }) => (
          <ul className="entries">
            {all.map((session) => (
              <li key={session.id}>
                <div>
                  <p>
                    <span title={session.userAgent ?? undefined}>
                      {agentName(session.userAgent)}
                    </span>{' '}
                    {session.current && <Badge kind="good">this one</Badge>}
                  </p>
                  <p className="fine-print">
                    {session.person !== null && `${session.person.name}, `}
                    From {session.ip} with a {session.method}, seen{' '}
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
    onSuccess: () => toast(`The session from ${session.ip} is ended.`),
  })
  return (
    <Button
      kind="quiet"
      icon="exit"
      isBusy={end.isPending}
      onClick={() => end.mutate({ id: session.id }, { onError: (error) => toastFailure(error) })}
    >
      End<span className="hidden-text"> the session from {session.ip}</span>
    </Button>
  )
}
