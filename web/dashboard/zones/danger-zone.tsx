import { useState } from 'react'

import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import type { Zone } from '../parts/one-zone.tsx'
import { goTo } from '../router.tsx'
import { DeleteZone } from './delete-zone.tsx'
import { SuspendZone } from './suspend-zone.tsx'
import { useResume } from './use-resume.ts'

/** What takes a zone from its visitors, for a while or for good. */
export function DangerZone({ zone }: { readonly zone: Zone }) {
  const [asked, setAsked] = useState<'suspend' | 'delete'>()
  const { resume, isPending } = useResume(zone)
  const close = () => setAsked(undefined)
  return (
    <section className="card narrow danger-zone">
      <h2>{t('Danger zone')}</h2>
      <ul className="entries">
        <li>
          <div>
            <p>{zone.Suspended ? t('Suspended') : t('Suspend')}</p>
            <p className="fine-print">
              {zone.Suspended
                ? t('Visitors are refused with 403 until it is resumed.')
                : t('Visitors are refused with 403. Nothing is deleted, and it can be taken back.')}
            </p>
          </div>
          {zone.Suspended ? (
            <Button
              icon="play"
              needs={{ scope: 'zones:write', zone: null }}
              isBusy={isPending}
              onClick={resume}
            >
              {t('Resume')}
            </Button>
          ) : (
            <Button
              icon="pause"
              needs={{ scope: 'zones:write', zone: null }}
              onClick={() => setAsked('suspend')}
            >
              {t('Suspend…')}
            </Button>
          )}
        </li>
        <li>
          <div>
            <p>{t('Delete')}</p>
            <p className="fine-print">
              {t('All its files and domains stop being served at once. Asks for the name.')}
            </p>
          </div>
          <Button
            kind="danger"
            icon="trash"
            needs={{ scope: 'zones:write', zone: zone.Name }}
            onClick={() => setAsked('delete')}
          >
            {t('Delete…')}
          </Button>
        </li>
      </ul>
      {asked === 'suspend' && <SuspendZone zone={zone} onClose={close} />}
      {asked === 'delete' && (
        <DeleteZone zone={zone} onClose={close} onDeleted={() => goTo('zones')} />
      )}
    </section>
  )
}
