import { RequestLog } from '../logs/request-log.tsx'
import { ServiceLog } from '../logs/service-log.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { useSearch } from '../router.tsx'

const logs = [
  { value: 'requests', label: 'Requests' },
  { value: 'service', label: 'Service' },
] as const

/** Each request and what became of it, and what the service noticed. */
export function Page() {
  const [{ log }, change] = useSearch()
  const isService = log === 'service'
  return (
    <>
      <PageHeader
        title="Logs"
        lead={
          isService
            ? 'Warnings, errors and refused requests, as the service noticed them.'
            : 'Each request to delivery and API, and what became of it.'
        }
      >
        <Segments
          label="Log"
          value={isService ? 'service' : 'requests'}
          options={logs}
          onChange={(next) => change({ log: next === 'service' ? next : undefined })}
        />
      </PageHeader>
      {isService ? <ServiceLog /> : <RequestLog />}
    </>
  )
}
