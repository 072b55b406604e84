import { useState } from 'react'

import { useChange } from '../../api/queries.ts'
import { t } from '../../language/text.ts'
import { Dialog } from '../../parts/feedback/dialog.tsx'
import { Failure } from '../../parts/feedback/failure.tsx'
import { toast } from '../../parts/feedback/toasts.tsx'
import { Button } from '../../parts/forms/button.tsx'
import type { AssetMetadata } from '../asset.ts'
import { changedMembers, draftOf } from '../metadata/draft.ts'
import { SuggestedValues } from '../metadata/suggested-values.tsx'
import { MetadataFields } from '../metadata/metadata-fields.tsx'

interface DescribeAssetProps {
  readonly asset: AssetMetadata
  readonly onClose: () => void
}

/** Says what an asset is. Only what is changed is sent, and nothing that somebody else said meanwhile is lost. */
export function DescribeAsset({ asset, onClose }: DescribeAssetProps) {
  const [before] = useState(() => draftOf(asset.Metadata))
  const [draft, change] = useState(before)
  const patch = changedMembers(before, draft)
  const save = useChange('describeAsset', {
    changes: ['getAssetMetadata', 'getAssetHistory', 'listAssets'],
    onSuccess: () => {
      toast(t('{name} is described.', { name: asset.Name }))
      onClose()
    },
  })
  return (
    <Dialog
      title={t('Describe {name}', { name: asset.Name })}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>{t('Cancel')}</Button>
          <Button
            kind="primary"
            type="submit"
            form="describe-asset"
            isBusy={save.isPending}
            disabled={Object.keys(patch).length === 0}
          >
            {t('Save')}
          </Button>
        </>
      }
    >
      <form
        id="describe-asset"
        className="stack"
        onSubmit={(event) => {
          event.preventDefault()
          const headers = { 'If-Match': asset.MetadataETag }
          if (!save.isPending) save.mutate({ path: asset.Path, body: patch, headers })
        }}
      >
        <SuggestedValues path={asset.Path} draft={draft} onChange={change} />
        <MetadataFields draft={draft} zone={asset.Project} onChange={change} />
        {save.isError && <Failure error={save.error} />}
      </form>
    </Dialog>
  )
}
