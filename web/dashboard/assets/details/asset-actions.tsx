import { useState } from 'react'

import { t } from '../../language/text.ts'
import { ActionMenu, type MenuAction } from '../../parts/forms/action-menu.tsx'
import { toast, toastFailure } from '../../parts/feedback/toasts.tsx'
import { goTo, Link } from '../../router.tsx'
import { type AssetMetadata, hasStill, isImage, isPrivate, isVideo, storagePath } from '../asset.ts'
import { RenameDialog } from '../folders/rename-dialog.tsx'
import { MoveDialog } from '../selection/move-dialog.tsx'
import { useBulk } from '../selection/use-bulk.ts'
import { DeleteAsset, useDeleteAsset } from './delete-asset.tsx'
import { DescribeAsset } from './describe-asset.tsx'
import { plainOf } from './plain-of.ts'
import { SignAsset } from './sign-asset.tsx'

interface AssetActionsProps {
  readonly asset: AssetMetadata
  readonly onClose: () => void
  /** It has another path now. */
  readonly onMoved: (path: string) => void
}

type Asked = 'sign' | 'describe' | 'rename' | 'move' | 'copy'

/** What is wanted most, and all that can be done in one menu. */
export function AssetActions(props: AssetActionsProps) {
  const { asset, onClose } = props
  const [asked, ask] = useState<Asked>()
  const remove = useDeleteAsset(asset, onClose)
  const purge = usePurge(asset)
  const actions = [
    ...reading(asset, ask),
    ...changing(asset, ask),
    { ...purging(asset), run: purge },
    ...removing(asset, remove.run),
  ]
  return (
    <div className="row">
      <Uses asset={asset} />
      <DeleteAsset asset={asset} remove={remove} />
      <ActionMenu label={t('Actions')} actions={actions} />
      {asked !== undefined && <AskedDialog {...props} asked={asked} onEnd={() => ask(undefined)} />}
    </div>
  )
}

function Uses({ asset }: Pick<AssetActionsProps, 'asset'>) {
  const plain = plainOf(asset)
  return (
    <>
      {(isImage(plain) || hasStill(plain)) && !isPrivate(plain) && (
        <Link page="transform" search={{ asset: asset.Path }} className="button">
          {t('Transform')}
        </Link>
      )}
      {isVideo(plain) && (
        <a className="button" href={`/watch?path=${encodeURIComponent(asset.Path)}`}>
          {t('Watch')}
        </a>
      )}
      <a className="button" href={storagePath(asset.Path)} download={asset.Name}>
        {t('Download')}
      </a>
    </>
  )
}

interface AskedDialogProps extends AssetActionsProps {
  readonly asked: Asked
  readonly onEnd: () => void
}

function AskedDialog({ asked, asset, onEnd, onClose, onMoved }: AskedDialogProps) {
  if (asked === 'sign') return <SignAsset path={asset.Path} onClose={onEnd} />
  if (asked === 'describe') return <DescribeAsset asset={asset} onClose={onEnd} />
  if (asked === 'rename')
    return <RenameDialog path={asset.Path} onClose={onEnd} onRenamed={onMoved} />
  return (
    <MoveDialog
      action={asked}
      folder={directoryOf(asset)}
      named={{ Paths: [asset.Path] }}
      what={asset.Name}
      onClose={(isDone) => {
        onEnd()
        if (isDone && asked === 'move') onClose()
      }}
    />
  )
}

const directoryOf = ({ Path }: AssetMetadata): string => Path.slice(0, Path.lastIndexOf('/'))

function usePurge(asset: AssetMetadata): () => void {
  const { run } = useBulk()
  const purge = async () => {
    const done = () => t('{name} is purged from every edge.', { name: asset.Name })
    const fault = await run({ Paths: [asset.Path], Action: 'purge' }, done)
    if (fault !== undefined) toastFailure(fault)
  }
  return () => void purge()
}

type Asking = (asked: Asked) => void

/** What changes nothing. */
function reading(asset: AssetMetadata, ask: Asking): readonly MenuAction[] {
  const isHidden = isPrivate(plainOf(asset))
  const stored = storagePath(asset.Path)
  const href = isHidden ? stored : new URL(asset.CdnUrl).pathname
  const copying: MenuAction = {
    icon: 'copy',
    label: t('Copy the URL'),
    run: () => void copy(asset.CdnUrl),
  }
  return [
    { icon: 'external', label: t('Open in a tab'), href, opens: 'tab' },
    ...(isHidden ? [] : [copying]),
    { icon: 'key', label: t('Signed URL…'), run: () => ask('sign') },
    { icon: 'download', label: t('Download'), href: stored, opens: 'download' },
    {
      icon: 'folder',
      label: t('Show its folder'),
      run: () => goTo('assets', { folder: directoryOf(asset) }),
    },
  ]
}

async function copy(text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
    toast(t('The URL is copied.'))
  } catch {
    toastFailure(new Error(t('The browser does not allow to copy here. Select the text instead.')))
  }
}

function changing({ Project: zone }: AssetMetadata, ask: Asking): readonly MenuAction[] {
  const needs = { scope: 'storage:write', zone } as const
  const describing = { scope: ['metadata:write', 'storage:write'], zone } as const
  return [
    { icon: 'pencil', label: t('Describe…'), needs: describing, run: () => ask('describe') },
    { icon: 'pencil', label: t('Rename…'), needs, run: () => ask('rename') },
    { icon: 'folder', label: t('Move…'), needs, run: () => ask('move') },
    { icon: 'copy', label: t('Copy to…'), needs, run: () => ask('copy') },
  ]
}

const purging = ({ Project: zone }: AssetMetadata): MenuAction => ({
  icon: 'sweep',
  label: t('Purge'),
  needs: { scope: 'purge:write', zone },
})

const removing = (
  { Path, Project: zone }: AssetMetadata,
  remove: () => void,
): readonly MenuAction[] => [
  {
    icon: 'eraser',
    label: t('Erase for good…'),
    needs: { scope: 'people:write', zone: null },
    run: () => goTo('erasures', { erase: Path }),
    isDanger: true,
  },
  {
    icon: 'trash',
    label: t('Delete'),
    needs: { scope: 'storage:write', zone },
    run: remove,
    isDanger: true,
  },
]
