import { useQueryClient } from '@tanstack/react-query'

import type { ResponseOf } from '../../../src/client/types.ts'
import { client } from '../api/client.ts'
import { useChange } from '../api/queries.ts'
import { Button } from '../parts/forms/button.tsx'
import { Dialog } from '../parts/feedback/dialog.tsx'
import { Failure } from '../parts/feedback/failure.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'

type Zone = ResponseOf<'listZones'>[number]

/** A zone that is live goes dark for its visitors: that is asked about, and can be taken back. */
export function SuspendZone({
  zone,
  onClose,
}: {
  readonly zone: Zone
  readonly onClose: () => void
}) {
  const queries = useQueryClient()
  const resume = async () => {
    try {
      await client.updateZone({ id: zone.Id, body: { Suspended: false } })
      toast(`${zone.Name} is serving again.`)
      await queries.invalidateQueries({ queryKey: ['listZones'] })
    } catch (error) {
      toastFailure(error)
    }
  }
  const change = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => {
      toast(`${zone.Name} is suspended.`, { label: 'Undo', run: () => void resume() })
      onClose()
    },
  })
  return (
    <Dialog
      title={`Suspend ${zone.Name}`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            kind="danger"
            isBusy={change.isPending}
            onClick={() => change.mutate({ id: zone.Id, body: { Suspended: true } })}
          >
            Suspend the zone
          </Button>
        </>
      }
    >
      <div className="stack">
        {change.isError && <Failure error={change.error} />}
        <p>
          Within a second every file of it is refused with 403, on this host
          {zone.domains.length > 0 && ` and at ${zone.domains.join(', ')}`}. Uploads to it are
          refused too.
        </p>
        <p>Nothing is deleted, and you can resume it at any time.</p>
      </div>
    </Dialog>
  )
}
