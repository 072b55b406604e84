import { useChange } from '../api/queries.ts'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import type { Zone } from '../parts/one-zone.tsx'

/** Ends that a zone is suspended. */
export function useResume(zone: Zone) {
  const resume = useChange('updateZone', {
    changes: ['listZones'],
    onSuccess: () => toast(`${zone.Name} is serving again.`),
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
