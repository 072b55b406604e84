import { useQueryClient } from '@tanstack/react-query'

import type { ResponseOf } from '../../../src/client/types.ts'
import { client } from '../api/client.ts'
import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
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
      toast(t('{name} is serving again.', { name: zone.Name }))
      await queries.invalidateQueries({ queryKey: ['listZones'] })
    } catch (error) {
      toastFailure(error)
    }
  }
  const change = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => {
      toast(t('{name} is suspended.', { name: zone.Name }), {
        label: t('Undo'),
        run: () => void resume(),
      })
      onClose()
    },
  })
  return (
    <Dialog
      title={t('Suspend {name}', { name: zone.Name })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="danger"
            isBusy={change.isPending}
            onClick={() => change.mutate({ id: zone.Id, body: { Suspended: true } })}
          >
            {t('Suspend the zone')}
          </Button>
        </>
      }
    >
      <div className="stack">
        {change.isError && <Failure error={change.error} />}
        <p>{consequence(zone)}</p>
        <p>{t('Nothing is deleted, and you can resume it at any time.')}</p>
      </div>
    </Dialog>
  )
}

const consequence = ({ domains }: Zone): string =>
  domains.length === 0
    ? t('Within a second every file of it is refused with 403. Uploads to it are refused too.')
    : t(
        'Within a second every file of it is refused with 403, on this host and at {domains}. Uploads to it are refused too.',
        { domains: domains.join(', ') },
      )
