import { useChange } from '../api/queries.ts'
import { rich } from '../language/rich-text.tsx'
import { hidden } from '../language/hidden-text.tsx'
import { t } from '../language/text.ts'
import { Button } from '../parts/forms/button.tsx'
import { toast, toastFailure } from '../parts/feedback/toasts.tsx'
import { humanAge } from '../parts/format.ts'
import type { Domain } from './domain-state.ts'

/** Has DNS and certificate looked at before their time. */
export function CheckNow({ domain: { Zone, Hostname } }: { readonly domain: Domain }) {
  const check = useChange('checkDomain', {
    changes: ['listAllDomains', 'listDomains', 'getDomain'],
    onSuccess: ({ SslNextCheck }) => {
      const isNow = Date.parse(SslNextCheck) <= Date.now()
      toast(
        isNow
          ? t('{hostname} is being looked at. What is found shows here in a moment.', {
              hostname: Hostname,
            })
          : t('{hostname} was looked at just now. The next look is {sslNextCheck}.', {
              hostname: Hostname,
              sslNextCheck: humanAge(SslNextCheck),
            }),
      )
    },
  })
  return (
    <Button
      kind="quiet"
      icon="retry"
      needs={{ scope: 'domains:write', zone: Zone }}
      isBusy={check.isPending}
      onClick={() =>
        check.mutate({ id: Zone, hostname: Hostname }, { onError: (error) => toastFailure(error) })
      }
    >
      {rich('Check now <hidden>{hostname}</hidden>', {
        hostname: Hostname,
        hidden,
      })}
    </Button>
  )
}
