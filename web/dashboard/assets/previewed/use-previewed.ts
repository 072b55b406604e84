import { useQueries } from '@tanstack/react-query'

import type { ResponseOf } from '../../../../src/client/types.ts'
import { client } from '../../api/client.ts'
import type { Asset } from '../asset.ts'

type Previewed = ResponseOf<'listPreviewedAssets'>['Previewed'][number]

/** Open previews in which an asset is otherwise, the one that changed last first. */
export type PreviewsOf = (path: string) => Previewed['Previews'] | undefined

/** Assets that are asked for together. */
export interface AssetPage {
  /** Another one where the assets are others. */
  readonly key: readonly unknown[]
  readonly assets: readonly Pick<Asset, 'path'>[] | undefined
}

const byPath = ({ Previewed: all }: ResponseOf<'listPreviewedAssets'>) =>
  new Map(all.map(({ Path, Previews }) => [Path, Previews]))

/** Asks once for each page; who may not read previews sees the assets without marks. */
export function usePreviewed(pages: readonly AssetPage[]): PreviewsOf {
  const responses = useQueries({
    queries: pages.map(({ key, assets = [] }) => ({
      queryKey: ['listPreviewedAssets', ...key],
      queryFn: ({ signal }: { readonly signal: AbortSignal }) =>
        client.listPreviewedAssets({ body: { Paths: assets.map(({ path }) => path) } }, { signal }),
      enabled: assets.length > 0,
      staleTime: 60_000,
      select: byPath,
    })),
  })
  return (path) => {
    for (const { data } of responses) {
      const previews = data?.get(path)
      if (previews !== undefined) return previews
    }
    return undefined
  }
}
