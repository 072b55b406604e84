import { t } from '../../language/text.ts'
import { Button } from '../forms/button.tsx'
import { CopyButton } from './copy-button.tsx'
import { Dialog } from './dialog.tsx'

interface ShownOnceProps {
  readonly title: string
  /** Where it is used. */
  readonly text: string
  /** `undefined`: there is nothing to show. */
  readonly secret: string | undefined
  readonly onClose: () => void
}

/** A secret that the service does not tell again. */
export const ShownOnce = ({ title, text, secret, onClose }: ShownOnceProps) => (
  <Dialog
    title={title}
    isOpen={secret !== undefined}
    onClose={onClose}
    actions={
      <Button kind="primary" onClick={onClose}>
        {t('Done')}
      </Button>
    }
  >
    <p>{t('{text} It is shown this once.', { text })}</p>
    <code className="code-block">{secret}</code>
    <CopyButton text={secret ?? ''} />
  </Dialog>
)
