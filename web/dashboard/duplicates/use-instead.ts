import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { client } from '../api/client.ts'
import { t } from '../language/text.ts'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'

export type Duplicate = ResponseOf<'listDuplicates'>['Groups'][number]['Similar'][number]

/**
 * Deletes copies, whose URLs lead to the one that is kept from then on, in one commit, and offers to take
 * that back.
 */
export function useInstead() {
  const queries = useQueryClient()
  const [isBusy, setIsBusy] = useState(false)
  const renew = () =>
    Promise.all(
      ['listDuplicates', 'listAssets', 'getRules', 'listZones'].map((id) =>
        queries.invalidateQueries({ queryKey: [id] }),
      ),
    )
  const attempt = async (work: () => Promise<void>) => {
    setIsBusy(true)
    try {
      await work()
    } catch (error) {
      toastFailure(error)
    }
    await renew()
    setIsBusy(false)
  }

  const takeBack = (commit: string, count: number) =>
    attempt(async () => {
      await client.undoCommit({ body: { Commit: commit } })
      toast(count === 1 ? t('The copy is back.') : t('The copies are back.'))
    })

  const useInsteadOf = (kept: Duplicate, copies: readonly Duplicate[]) =>
    attempt(async () => {
      const paths = copies.map(({ Path }) => Path)
      const { Commit } = await client.deleteFiles({ body: { Paths: paths, RedirectTo: kept.Path } })
      const undo = { label: t('Undo'), run: () => void takeBack(Commit ?? '', paths.length) }
      toast(t('{name} is used instead.', { name: kept.Name }), Commit === null ? undefined : undo)
    })

  return { isBusy, useInsteadOf }
}
