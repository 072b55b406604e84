import { t } from '../../language/text.ts'
import { PageHeader } from '../../parts/page-header.tsx'
import { Passkeys } from '../../sessions/passkeys.tsx'
import { Sessions } from '../../sessions/sessions.tsx'

/** Who may sign in with what, and who is signed in. */
export const Page = () => (
  <>
    <PageHeader
      title={t('Passkeys and sessions')}
      lead={t(
        'A passkey signs in with a finger, a face or a key, and cannot be phished or forgotten.',
      )}
    />
    <div className="cards">
      <Passkeys />
      <Sessions />
    </div>
  </>
)
