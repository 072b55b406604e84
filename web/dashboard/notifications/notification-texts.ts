import type { ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

export type Notification = ResponseOf<'listNotifications'>['Notifications'][number]

const kindTexts: Readonly<Record<Notification['Kind'], string>> = {
  service: t('Part of the service'),
  disk: t('Disk'),
  quota: t('Limit'),
  errors: t('Error rate'),
  webhook: t('Webhook'),
  domain: t('Domain'),
  certificate: t('Certificate'),
  mirror: t('Git mirror'),
  edge: t('Edge'),
  backup: t('Backup'),
}

export const titleOf = ({ Kind, Name }: Pick<Notification, 'Kind' | 'Name'>): string =>
  Name === '' ? kindTexts[Kind] : t('{kind}: {name}', { kind: kindTexts[Kind], name: Name })
