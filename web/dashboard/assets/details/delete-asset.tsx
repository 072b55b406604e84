import { useQueryClient } from '@tanstack/react-query'

import { client } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Button } from '../../parts/forms/button.tsx'
import { toast, toastFailure } from '../../parts/feedback/toasts.tsx'
import type { AssetMetadata } from '../asset.ts'

interface DeleteAssetProps {
  readonly asset: Pick<AssetMetadata, 'Path' | 'Name' | 'Commit'>
  readonly onDeleted: () => void
}

/** Deletes at once and offers to take it back: the repository still has the file. */
export function DeleteAsset({ asset, onDeleted }: DeleteAssetProps) {
  const queries = useQueryClient()
  const undo = async () => {
    try {
      await client.restoreAsset({ body: { path: asset.Path, commit: asset.Commit } })
      toast(t('{name} is back.', { name: asset.Name }))
      await queries.invalidateQueries({ queryKey: ['listAssets'] })
    } catch (error) {
      toastFailure(error)
    }
  }
  const remove = useChange('deleteFile', {
    changes: ['listAssets', 'listZones', 'getAssetHistory'],
    onSuccess: () => {
      toast(t('{name} is deleted.', { name: asset.Name }), {
        label: t('Undo'),
        run: () => void undo(),
      })
      onDeleted()
    },
  })
  return (
    <>
      <Button
        icon="trash"
        needs={{ scope: 'storage:write', zone: asset.Path.split('/')[0] }}
        isBusy={remove.isPending}
        onClick={() =>
          remove.mutate(
            { path: `clients/${asset.Path}` },
            { onError: (error) => toastFailure(error) },
          )
        }
      >
        {t('Delete')}
      </Button>
    </>
  )
}
