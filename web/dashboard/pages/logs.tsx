import { t } from '../language/text.ts'
import { RequestLog } from '../logs/request-log.tsx'
import { ServiceLog } from '../logs/service-log.tsx'
import { Segments } from '../parts/forms/segments.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { useSearch } from '../router.tsx'

const logs = [
  { value: 'requests', label: t('Requests') },
  { value: 'service', label: t('Service') },
] as const

/** Each request and what became of it, and what the service noticed. */
export function Page() {
  const [{ log }, change] = useSearch()
  const isService = log === 'service'
  return (
    <>
      <PageHeader
        title={t('Logs')}
        lead={
          isService
            ? t('Warnings, errors and refused requests, as the service noticed them.')
            : t('Each request to delivery and API, and what became of it.')
        }
      >
        <Segments
          label={t('Log')}
          value={isService ? 'service' : 'requests'}
          options={logs}
          onChange={(next) => change({ log: next === 'service' ? next : undefined })}
        />
      </PageHeader>
      {isService ? <ServiceLog /> : <RequestLog />}
    </>
  )
}
