import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'

import type { ResponseOf } from '../../../src/client/types.ts'
import { client } from '../api/client.ts'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'

export type Duplicate = ResponseOf<'listDuplicates'>['Groups'][number]['Similar'][number]

const urlOf = (path: string): string =>
  `/${path.split('/').map(encodeURIComponent).join('/').replaceAll('*', '%2A')}`

const isPrivate = (path: string): boolean => path.split('/')[2] === 'private'

/**
 * Deletes copies, whose URLs lead to the one that is kept from then on, and offers to take both back. The
 * rules come first: while a copy is there they do nothing, and afterwards nobody finds nothing.
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

  const takeBack = (paths: readonly string[], former: string) =>
    attempt(async () => {
      await client.restoreAsset({ body: { Paths: [...paths] } })
      await client.updateRules({ body: { File: '_redirects', Content: former } })
      toast(paths.length === 1 ? 'The copy is back.' : 'The copies are back.')
    })

  const useInsteadOf = (kept: Duplicate, copies: readonly Duplicate[]) =>
    attempt(async () => {
      const paths = copies.map(({ Path }) => Path)
      const former = (await client.getRules({})).Redirects ?? ''
      const rules = paths
        .filter((path) => ![path, kept.Path].some(isPrivate))
        .map((path) => `${urlOf(path)} ${urlOf(kept.Path)} 301\n`)
      const content = rules.join('') + former
      if (rules.length > 0)
        await client.updateRules({ body: { File: '_redirects', Content: content } })
      await client.changeAssets({ body: { Paths: paths, Action: 'delete' } })
      toast(`${kept.Name} is used instead.`, {
        label: 'Undo',
        run: () => void takeBack(paths, former),
      })
    })

  return { isBusy, useInsteadOf }
}
