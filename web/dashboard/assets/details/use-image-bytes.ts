import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'

import { refusalOf } from '../../../../src/client/refusal.ts'

export interface ImageBytes {
  /** For `src`; good while this is on the page. */
  readonly url: string
  readonly sizeBytes: number
  readonly contentType: string
}

interface Options {
  /** An `Accept` field in place of the browser's own. */
  readonly accept?: string
  readonly isEnabled?: boolean
}

/** An image as it came over the wire: what to show, how large, in what format. */
export function useImageBytes(
  path: string,
  version = '',
  { accept, isEnabled = true }: Options = {},
) {
  const image = useQuery<ImageBytes>({
    queryKey: ['image', path, version, accept],
    enabled: isEnabled,
    retry: false,
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    queryFn: async ({ signal }) => {
      const response = await fetch(path, {
        signal,
        cache: 'no-cache',
        headers: { Accept: accept ?? 'image/avif,image/webp,image/png,image/*;q=0.8' },
      })
      if (!response.ok) throw await refusalOf(response, Date.now)
      const blob = await response.blob()
      return { url: URL.createObjectURL(blob), sizeBytes: blob.size, contentType: blob.type }
    },
  })
  const url = image.data?.url
  useEffect(
    () => () => {
      if (url !== undefined) URL.revokeObjectURL(url)
    },
    [url],
  )
  return image
}
