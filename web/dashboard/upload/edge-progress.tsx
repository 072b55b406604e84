import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { humanNumber } from '../parts/format.ts'

const everyMs = 1_000

/** How many edges deliver the newest commit: this node's own, and those elsewhere. */
export function EdgeProgress({ commit }: { readonly commit: string }) {
  const deployment = useOperation(
    'getDeployment',
    { commit },
    {
      keepsPrevious: true,
      refetchEveryMs: (data) => (data?.IsEverywhere === true ? false : everyMs),
    },
  )
  if (deployment.data === undefined) return null
  const live = deployment.data.EdgesWithCommit + 1
  const all = deployment.data.EdgeCount + 1
  return (
    <p className="fine-print" role="status">
      {all === 1
        ? t('The last change is live at the edge.')
        : t('The last change is live at {live} of {all} edges.', {
            live: humanNumber(live),
            all: humanNumber(all),
          })}
    </p>
  )
}
