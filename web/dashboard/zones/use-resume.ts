import { useChange } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import type { Zone } from '../parts/one-zone.tsx'

/** Ends that a zone is suspended. */
export function useResume(zone: Zone) {
  const resume = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => toast(t('{name} is serving again.', { name: zone.Name })),
  })
  return {
    isPending: resume.isPending,
    resume: () =>
      resume.mutate(
        { id: zone.Id, body: { Suspended: false } },
        { onError: (error) => toastFailure(error) },
      ),
  }
}
