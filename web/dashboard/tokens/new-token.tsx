import { t } from '../language/text.ts'
import { CopyButton } from '../parts/feedback/copy-button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Button } from '../parts/forms/button.tsx'
import { tryIt } from './try-it.ts'

export interface MadeToken {
  readonly secret: string
  readonly scopes: readonly string[]
}

interface NewTokenProps {
  readonly made: MadeToken | undefined
  readonly onClose: () => void
}

/** The secret, which is shown this once, and a command to try it with. */
export function NewToken({ made, onClose }: NewTokenProps) {
  const { secret = '', scopes = [] } = made ?? {}
  const command = tryIt(secret, scopes, location.origin)
  return (
    <Dialog
      title={t('The new token')}
      isOpen={made !== undefined}
      onClose={onClose}
      actions={
        <Button kind="primary" onClick={onClose}>
          {t('Done')}
        </Button>
      }
    >
      <div className="stack">
        <p>{t('Send it as Authorization: Bearer with each request. It is shown this once.')}</p>
        <code className="code-block">{secret}</code>
        <div>
          <CopyButton text={secret} />
        </div>
        <h3>{t('Try it')}</h3>
        <code className="code-block">{command}</code>
        <div>
          <CopyButton text={command} />
        </div>
      </div>
    </Dialog>
  )
}
