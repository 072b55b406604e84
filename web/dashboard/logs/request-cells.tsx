import type { LogEntry } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'
import { Link } from '../router.tsx'

const kinds: Readonly<Record<string, string>> = {
  key: 'Key',
  token: 'Token',
  session: 'Session',
  grant: 'Upload grant',
  person: 'Person',
  service: 'Sedge',
}

/** With what somebody came. */
export function SenderName({ by }: { readonly by: LogEntry['by'] | undefined }) {
  if (by === null || by === undefined) return <>{t('Nobody')}</>
  const name = by.name ?? (by.kind === 'key' ? by.id : kinds[by.kind])
  return by.kind === 'token' ? <Link page="tokens">{name}</Link> : <>{name}</>
}
