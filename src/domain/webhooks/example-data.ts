import type { WebhookEvent } from '../../ports/records/webhook-event.ts'

interface Given {
  readonly zone: string
  readonly at: Date
}

const commit = '0'.repeat(40)
const checksum = '0'.repeat(64)

/** What each event would say, of things that do not exist. */
const exampleByEvent: Readonly<Record<WebhookEvent, (given: Given) => object>> = {
  'asset.created': assetExample,
  'asset.updated': assetExample,
  'asset.deleted': ({ zone }) => ({ path: pathIn(zone), zone, commit }),
  'asset.expired': assetExample,
  'zone.created': ({ zone }) => ({ zone }),
  'zone.updated': ({ zone }) => ({ zone, enabled: true, suspended: false }),
  'zone.deleted': ({ zone }) => ({ zone }),
  'rules.updated': () => ({ file: '_headers', size: 64 }),
  'domain.updated': ({ zone }) => ({
    zone,
    hostname: 'assets.example.com',
    sslStatus: 'active',
    sslError: null,
    removed: false,
  }),
  'preview.updated': ({ zone, at }) => ({
    zone,
    name: 'example',
    base: commit,
    head: commit,
    expires: at.toISOString(),
    signed: false,
    removed: false,
  }),
  'purge.completed': ({ zone }) => ({ urls: [`/${zone}/v1/logos/example.svg`] }),
  'content.erased': ({ zone }) => ({
    erasure: 'example',
    sha256: [checksum],
    paths: [pathIn(zone)],
  }),
  'quota.warning': (given) => quotaExample(given, 800),
  'quota.reached': (given) => quotaExample(given, 1_000),
  'notification.raised': (given) => notificationExample(given, null),
  'notification.resolved': (given) => notificationExample(given, given.at.toISOString()),
  'deploy.completed': () => ({ commit, commits: 1 }),
}

export const exampleData = (event: WebhookEvent, given: Given): object =>
  exampleByEvent[event](given)

const pathIn = (zone: string): string => `clients/${zone}/v1/logos/example.svg`

const quotaExample = ({ zone }: Given, used: number) => ({
  zone,
  quota: 'files',
  limit: 1_000,
  used,
  resets: null,
})

function assetExample({ zone }: Given) {
  return {
    path: pathIn(zone),
    zone,
    category: 'logos',
    size: 1_024,
    contentType: 'image/svg+xml',
    checksum,
    commit,
  }
}

const notificationExample = ({ zone, at }: Given, ended: string | null) => ({
  id: 'example',
  kind: 'webhook',
  severity: 'warning',
  about: 'example',
  name: 'Example',
  zone,
  detail: 'This is a test.',
  began: at.toISOString(),
  ended,
  page: '/dashboard/webhooks',
})
