import type { LogEntry } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import { Link } from '../router.tsx'

const kinds: Readonly<Record<string, string>> = {
  key: 'Key',
  token: t('Token'),
  session: t('Session'),
  grant: t('Upload grant'),
  person: t('Person'),
  service: 'Sedge',
}

/** With what somebody came. */
export function SenderName({ by }: { readonly by: LogEntry['by'] | undefined }) {
  if (by === null || by === undefined) return <>{t('Nobody')}</>
  const name = by.name ?? (by.kind === 'key' ? by.id : kinds[by.kind])
  return by.kind === 'token' ? <Link page="tokens">{name}</Link> : <>{name}</>
}
