import type { ResponseOf } from '../../../src/client/types.ts'
import { usePages } from '../api/queries.ts'
import type { Difference } from '../history/difference.tsx'
import type { Preview } from './preview.ts'

type PreviewDifference = ResponseOf<'getPreviewDifferences'>['Differences'][number]

const perPage = 60

/** What a promotion of the preview would change, page by page. */
export const usePreviewDifferences = ({ Zone, Name, Head }: Preview) =>
  usePages(
    'getPreviewDifferences',
    { id: Zone, name: Name, limit: perPage },
    { cursor: 'after', version: Head },
  )

/** As what differs between any two moments. */
export const asDifference = (of: PreviewDifference): Difference => ({
  ...of,
  MetadataOnly: of.Before !== null && of.Before.Checksum === of.After?.Checksum,
})
