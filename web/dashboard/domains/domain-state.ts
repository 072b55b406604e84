import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

export type Domain = ResponseOf<'listDomains'>[number]

type Kind = 'plain' | 'good' | 'warning' | 'bad' | 'busy'

interface State {
  readonly kind: Kind
  readonly text: string
}

export const sslWords = {
  provisioning: t('being set up'),
  active: 'secure',
  failed: t('not secure yet'),
  renewing: t('secure, renewing'),
  expired: 'expired',
} as const

const sslKinds = {
  provisioning: 'busy',
  active: 'good',
  failed: 'bad',
  renewing: 'busy',
  expired: 'bad',
} as const

/** How the certificate stands. */
export const sslStateOf = ({ SslStatus }: Domain): State => ({
  kind: sslKinds[SslStatus],
  text: sslWords[SslStatus],
})

/** Whether DNS says all that it has to say, as far as that is known. */
export function dnsStateOf({ Verified, SslStatus, SslError, CnameTarget }: Domain): State {
  if (!Verified) return { kind: 'warning', text: t('TXT record missing') }
  if (SslStatus === 'active' || SslStatus === 'renewing')
    return { kind: 'good', text: t('points here') }
  if (CnameTarget === null) return { kind: 'warning', text: t('no target set') }
  return SslError === null
    ? { kind: 'busy', text: t('being looked up') }
    : { kind: 'warning', text: t('see what to set') }
}
