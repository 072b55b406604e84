import { useState } from 'react'

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
      <h2>Danger zone</h2>
      <ul className="entries">
        <li>
          <div>
            <p>{zone.Suspended ? 'Suspended' : 'Suspend'}</p>
            <p className="fine-print">
              {zone.Suspended
                ? 'Visitors are refused with 403 until it is resumed.'
                : 'Visitors are refused with 403. Nothing is deleted, and it can be taken back.'}
            </p>
          </div>
          {zone.Suspended ? (
            <Button icon="play" isBusy={isPending} onClick={resume}>
              Resume
            </Button>
          ) : (
            <Button icon="pause" onClick={() => setAsked('suspend')}>
              Suspend…
            </Button>
          )}
        </li>
        <li>
          <div>
            <p>Delete</p>
            <p className="fine-print">
              All its files and domains stop being served at once. Asks for the name.
            </p>
          </div>
          <Button kind="danger" icon="trash" onClick={() => setAsked('delete')}>
            Delete…
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
