import { useOperation } from '../api/queries.ts'
import type { Preview } from './preview.ts'

/** What was published since a preview was made, in numbers, and the newest commit. */
export const useLiveSince = ({ Zone, Base }: Preview) =>
  useOperation('getZoneDifferences', { id: Zone, from: Base, limit: 1 })

/** The newest commit of what is live; `undefined` until it is known. */
export const useLiveCommit = (preview: Preview): string | undefined =>
  useLiveSince(preview).data?.To.Commit
