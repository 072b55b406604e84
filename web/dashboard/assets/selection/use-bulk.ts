import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import { client } from '../../api/client.ts'
import type { Input, ResponseOf } from '../../../../src/client/types.ts'
import { t } from '../../language/text.ts'
import { mayOf } from '../../parts/access/may.ts'
import { useOwnReach } from '../../parts/access/use-may.ts'
import { toast, toastFailure, type ToastAction } from '../../parts/feedback/toasts.tsx'
import { goTo } from '../../router.tsx'
import type { Selection } from './selection.ts'

type BulkBody = Input<'changeAssets'>['body']

/** How a request names what is chosen. */
export type Named = Pick<BulkBody, 'Paths' | 'Filter' | 'Except'>

export function namedBy({ isAll, paths }: Selection, filter: string | undefined): Named {
  if (!isAll || filter === undefined) return { Paths: [...paths] }
  return { Filter: filter, ...(paths.size > 0 && { Except: [...paths] }) }
}

/** What is read again after assets were changed. */
const changed = ['listAssets', 'listFolders', 'listZones', 'getAssetMetadata', 'getAssetHistory']

function useReadAgain(): () => Promise<void> {
  const queries = useQueryClient()
  return async () => {
    await Promise.all(changed.map((each) => queries.invalidateQueries({ queryKey: [each] })))
  }
}

/** Says what is done, with the way back: at once, or by the history of the zone. */
export function useDone() {
  const readAgain = useReadAgain()
  const reach = useOwnReach()
  const undo = async (commit: string) => {
    try {
      await client.undoCommit({ body: { Commit: commit } })
      toast(t('Undone.'))
      await readAgain()
    } catch (error) {
      toastFailure(error)
    }
  }
  return async (text: string, commit: string | null, zone: string | undefined): Promise<void> => {
    const { isAllowed: mayUndo } = mayOf(reach, { scope: 'storage:write', zone })
    const back: ToastAction | undefined =
      commit === null || !mayUndo ? undefined : { label: t('Undo'), run: () => void undo(commit) }
    const history: ToastAction | undefined =
      commit === null || zone === undefined
        ? undefined
        : { label: t('History'), run: () => goTo('history', { zone }) }
    toast(text, back, history)
    await readAgain()
  }
}

/** Does the same to all that is chosen; answers whether it is done. */
export function useBulk() {
  const [isBusy, setBusy] = useState(false)
  const done = useDone()
  const run = async (
    body: BulkBody,
    textOf: (response: ResponseOf<'changeAssets'>) => string,
  ): Promise<unknown> => {
    setBusy(true)
    try {
      const response = await send(body)
      const zone = response.Results[0]?.Path.split('/')[0]
      await done(textOf(response), response.Commit, zone)
      return undefined
    } catch (error) {
      return error
    } finally {
      setBusy(false)
    }
  }
  return { isBusy, run }
}

/** Editors describe and do no more. */
const send = async (body: BulkBody) => {
  const { Action, ...rest } = body
  const isDescribing = Action === 'set' || Action === 'tag' || Action === 'untag'
  return isDescribing
    ? await client.describeAssets({ body: { ...rest, Action } })
    : await client.changeAssets({ body })
}

/** Has the browser save a ZIP of what is chosen. */
export async function download(named: Named): Promise<void> {
  try {
    const { Url } = await client.prepareArchive({ body: named })
    location.assign(new URL(Url).pathname)
  } catch (error) {
    toastFailure(error)
  }
}
