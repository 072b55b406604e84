import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { humanNumber } from '../parts/format.ts'
import { TypedConfirmation } from '../parts/feedback/typed-confirmation.tsx'
import { toast } from '../parts/feedback/toasts.tsx'
import type { Zone } from '../parts/one-zone.tsx'

interface DeleteZoneProps {
  readonly zone: Zone
  readonly onClose: () => void
  readonly onDeleted?: () => void
}

export function DeleteZone({ zone, onClose, onDeleted }: DeleteZoneProps) {
  const remove = useChange('deleteZone', {
    changes: ['listZones', 'listAssets', 'listAllDomains'],
    onSuccess: ({ FilesRemoved }) => {
      toast(
        t('{name} and {filesRemoved} files are deleted.', {
          name: zone.Name,
          filesRemoved: humanNumber(FilesRemoved),
        }),
      )
      onClose()
      onDeleted?.()
    },
  })
  return (
    <TypedConfirmation
      title={t('Delete {name}', { name: zone.Name })}
      word={zone.Name}
      action={t('Delete the zone')}
      isOpen
      isBusy={remove.isPending}
      error={remove.error}
      onConfirm={() => remove.mutate({ id: zone.Id })}
      onClose={onClose}
    >
      <p>
        {t(
          'Its {fileCount} files stop being served at once, and so do its domains. The repository keeps the history.',
          { fileCount: humanNumber(zone.FileCount) },
        )}
      </p>
    </TypedConfirmation>
  )
}
