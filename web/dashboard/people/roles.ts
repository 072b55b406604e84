import type { Input, ResponseOf } from '../../../src/client/types.ts'
import { t } from '../language/text.ts'

export type Person = ResponseOf<'listPeople'>['People'][number]
export type GivenRole = Input<'invitePerson'>['body']['roles'][number]
export type Role = GivenRole['role']

/** From the least to the most. */
export const roleChoices: readonly { readonly value: Role; readonly label: string }[] = [
  { value: 'viewer', label: t('Viewer: sees files, reports, zones and rules') },
  { value: 'editor', label: t('Editor: also previews and descriptions') },
  { value: 'publisher', label: t('Publisher: also what is live, purges and logs') },
  { value: 'admin', label: t('Admin: everything, people and tokens too') },
]

/** `publisher in acme, docs`, each role on its own. */
export const roleTexts = ({ roles }: Pick<Person, 'roles'>): readonly string[] =>
  roles.map(({ role, zones }) =>
    zones === null
      ? t('{role} of all zones', { role })
      : t('{role} of {zones}', { role, zones: zones.join(', ') }),
  )
