import { useQueryClient } from '@tanstack/react-query'

import { client } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { toast, toastFailure } from '../../parts/feedback/toasts.tsx'
import { Button } from '../../parts/forms/button.tsx'
import type { AssetMetadata } from '../asset.ts'

interface Removing {
  readonly run: () => void
  readonly isBusy: boolean
}

/** Deletes at once and offers to take it back: the repository still has the file. */
export function useDeleteAsset(
  asset: Pick<AssetMetadata, 'Path' | 'Name' | 'Commit'>,
  onDeleted: () => void,
): Removing {
  const queries = useQueryClient()
  const named = { name: asset.Name }
  const undo = async () => {
    try {
      await client.restoreAsset({ body: { path: asset.Path, commit: asset.Commit } })
      toast(t('{name} is back.', named))
      await queries.invalidateQueries({ queryKey: ['listAssets'] })
    } catch (error) {
      toastFailure(error)
    }
  }
  const remove = useChange('deleteFile', {
    changes: ['listAssets', 'listZones', 'getAssetHistory'],
    onSuccess: () => {
      toast(t('{name} is deleted.', named), { label: t('Undo'), run: () => void undo() })
      onDeleted()
    },
  })
  const run = () =>
    remove.mutate({ path: `clients/${asset.Path}` }, { onError: (error) => toastFailure(error) })
  return { run, isBusy: remove.isPending }
}

interface DeleteAssetProps {
  readonly asset: Pick<AssetMetadata, 'Project'>
  readonly remove: Removing
}

export const DeleteAsset = ({ asset, remove }: DeleteAssetProps) => (
  <Button
    icon="trash"
    needs={{ scope: 'storage:write', zone: asset.Project }}
    isBusy={remove.isBusy}
    onClick={remove.run}
  >
    {t('Delete')}
  </Button>
)
