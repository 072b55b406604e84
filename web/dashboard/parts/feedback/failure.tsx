import { SedgeError } from '../../../../src/client/errors.ts'
import { messageOf } from '../../api/client.ts'
import { rich } from '../../language/rich-text.tsx'
import { t } from '../../language/text.ts'
import { Button } from '../forms/button.tsx'
import { Icon } from '../icon.tsx'

interface FailureProps {
  readonly error: unknown
  readonly onRetry?: () => void
}

/** What happened, how to go on, and what to tell the operator. */
export function Failure({ error, onRetry }: FailureProps) {
  const refusal = error instanceof SedgeError ? error : undefined
  return (
    <div className="failure" role="alert">
      <Icon name="alert" />
      <div>
        <p>{messageOf(error)}</p>
        {refusal !== undefined && refusal.details.length > 0 && (
          <ul>
            {refusal.details.map(({ target, message }) => (
              <li key={`${target} ${message}`}>
                {target !== undefined && <strong>{target}: </strong>}
                {message}
              </li>
            ))}
          </ul>
        )}
        {refusal?.requestId !== undefined && (
          <p className="fine-print">
            {rich('Request {requestId}', { requestId: <code>{refusal.requestId}</code> })}
          </p>
        )}
      </div>
      {onRetry && (
        <Button icon="retry" onClick={onRetry}>
          {t('Try again')}
        </Button>
      )}
    </div>
  )
}
