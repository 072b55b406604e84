import { useOperation } from '../api/queries.ts'
import { Badge } from '../parts/badge.tsx'

/** Whether the service works, as it says itself. */
export function HealthCard() {
  const health = useOperation('getHealth', {}, { refetchEveryMs: 15_000 })
  const { data } = health
  if (data === undefined) return null
  return (
    <section className="card">
      <div className="spread">
        <h2>Health</h2>
        {data.status === 'ok' ? (
          <Badge kind="good">Everything works</Badge>
        ) : (
          <Badge kind="bad">Something does not work</Badge>
        )}
      </div>
      <p className="fine-print">
        Sedge {data.version}, interface of {data.apiVersion}
      </p>
      {data.checks.length > 0 && (
        <ul className="row health-checks">
          {data.checks.map(({ name, healthy }) => (
            <li key={name}>
              <Badge kind={healthy ? 'plain' : 'bad'}>
                {name}: {healthy ? 'well' : 'failing'}
              </Badge>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}
