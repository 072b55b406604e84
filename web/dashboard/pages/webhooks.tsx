import { useState } from 'react'

import { useOperation } from '../api/queries.ts'
import { t } from '../language/text.ts'
import { QueryResult } from '../parts/feedback/query-result.tsx'
import { Button } from '../parts/forms/button.tsx'
import { EmptyState } from '../parts/feedback/empty-state.tsx'
import { PageHeader } from '../parts/page-header.tsx'
import { ShownOnce } from '../parts/feedback/shown-once.tsx'
import { CreateWebhook } from '../webhooks/create-webhook.tsx'
import { WebhookCard } from '../webhooks/webhook-card.tsx'

const refreshMs = 10_000

/** Who is told of what. */
export function Page() {
  const webhooks = useOperation('listWebhooks', {}, { refetchEveryMs: refreshMs })
  const [isCreating, setCreating] = useState(false)
  const [secret, setSecret] = useState<string>()
  const create = (
    <Button
      kind="primary"
      icon="plus"
      needs={{ scope: 'webhooks:write' }}
      onClick={() => setCreating(true)}
    >
      {t('Add a webhook')}
    </Button>
  )
  return (
    <>
      <PageHeader
        title={t('Webhooks')}
        lead={t(
          'URLs that are told what happens, signed, at least once, tried again until they take it.',
        )}
      >
        {create}
      </PageHeader>
      <QueryResult query={webhooks} label={t('The webhooks are loading')}>
        {({ Webhooks }) =>
          Webhooks.length === 0 ? (
            <EmptyState icon="webhook" title={t('Nobody is told yet')}>
              <p>
                {t('Have a build started, a cache warmed or a channel told when assets change.')}
              </p>
              <p className="row">{create}</p>
            </EmptyState>
          ) : (
            <div className="cards">
              {Webhooks.map((webhook) => (
                <WebhookCard key={webhook.id} webhook={webhook} onSecret={setSecret} />
              ))}
            </div>
          )
        }
      </QueryResult>
      <CreateWebhook
        isOpen={isCreating}
        onClose={() => setCreating(false)}
        onCreated={(made) => {
          setCreating(false)
          setSecret(made)
        }}
      />
      <ShownOnce
        title={t('The secret of the webhook')}
        text={t('The receiver checks signatures with it.')}
        secret={secret}
        onClose={() => setSecret(undefined)}
      />
    </>
  )
}
