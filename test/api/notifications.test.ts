import { expect, test } from 'bun:test'

import { openLocalService } from '../support/local-service.ts'
import { account, temporaryDirectory } from '../support/service-process.ts'
import { openSmtpServer } from '../support/smtp-server.ts'
import { until } from '../support/until.ts'
import { openWebhookReceiver } from '../support/webhook-receiver.ts'

interface Page {
  readonly Notifications: readonly Readonly<Record<string, unknown>>[]
  readonly Open: number
  readonly Unread: number
}

test('what is wrong is found, listed, mailed and told webhooks, once, after a restart too', async () => {
  await using directory = await temporaryDirectory()
  await using smtp = await openSmtpServer()
  using gone = openWebhookReceiver()
  using listening = openWebhookReceiver()
  gone.respond = () => new Response(null, { status: 410 })
  const environment = {
    BASE_URL: 'http://sedge.example',
    SEARCH_BY_NAME_ONLY: 'true',
    WEBHOOK_ALLOW_PRIVATE: 'true',
    NOTIFY_WEBHOOK_KINDS: 'webhook',
    NOTIFY_EMAIL_KINDS: 'webhook,disk',
    DISK_WARNING_PERCENT: '1',
    SMTP_URL: `smtp://127.0.0.1:${smtp.port}`,
    SMTP_FROM: 'sedge@acme.example',
    SMTP_ALLOW_PLAIN: 'true',
    NOTIFY_TO: 'ops@acme.example',
  }
  const open = () => openLocalService({ dataDirectory: directory.path, environment })
  const createWebhook = async (url: string, hook: string, events: readonly string[]) => {
    const body = JSON.stringify({ url: hook, events })
    const response = await fetch(`${url}/api/webhooks`, { method: 'POST', headers: account, body })
    return ((await response.json()) as { readonly id: string }).id
  }
  {
    await using service = await open()
    const events = ['notification.raised', 'notification.resolved']
    await createWebhook(service.url, listening.url, events)
    const id = await createWebhook(service.url, gone.url, ['zone.created'])
    await fetch(`${service.url}/api/core/zones`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name: 'acme' }),
    })
    await gone.until(1)
    await until(async () => {
      const response = await fetch(`${service.url}/api/webhooks/${id}`, { headers: account })
      const { Webhook } = (await response.json()) as { Webhook: { active: boolean } }
      return !Webhook.active
    })
  }
  const pageAt = async (url: string, query = '') => {
    const response = await fetch(`${url}/api/core/notifications${query}`, { headers: account })
    expect(response.status).toBe(200)
    return (await response.json()) as Page
  }
  {
    await using service = await open()
    await until(async () => (await pageAt(service.url, '?state=open')).Open === 1)
    await listening.until(1)
    await smtp.until(1)
    expect(await pageAt(service.url)).toMatchObject({
      Notifications: [
        { Kind: 'webhook', Severity: 'critical', Zone: null, Times: 1, IsRead: false },
      ],
      Open: 1,
      Unread: 1,
    })
    const read = await fetch(`${service.url}/api/core/notifications/read`, {
      method: 'POST',
      headers: account,
      body: '{}',
    })
    expect(await read.json()).toEqual({ Open: 1, Critical: 1, Unread: 0 })
    expect(listening.received).toMatchObject([
      { event: 'notification.raised', data: { kind: 'webhook', severity: 'critical' } },
    ])
    expect(smtp.mails[0]?.to).toEqual(['ops@acme.example'])
    expect(smtp.mails[0]?.data).toContain('http://sedge.example/dashboard/webhooks')
    const token = await fetch(`${service.url}/api/tokens`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({
        name: 'of acme',
        scopes: ['health:read'],
        zones: ['acme'],
        expiresInDays: 1,
      }),
    })
    const { token: bearer } = (await token.json()) as { token: string }
    const narrowed = { headers: { Authorization: `Bearer ${bearer}` } }
    const seen = await fetch(`${service.url}/api/core/notifications`, narrowed)
    expect(await seen.json()).toMatchObject({ Notifications: [], Open: 0 })
    expect((await fetch(`${service.url}/api/core/health`, narrowed)).status).toBe(403)
    const { Parts } = (await (
      await fetch(`${service.url}/api/core/health`, { headers: account })
    ).json()) as { Parts: { Name: string; State: string; Details: string[] }[] }
    const stateOf = (name: string) => Parts.find(({ Name }) => Name === name)?.State
    expect(stateOf('webhooks')).toBe('failing')
    expect(['database', 'publishing', 'renderer', 'mail', 'time'].map(stateOf)).toEqual(
      Array.from({ length: 5 }, () => 'healthy'),
    )
    expect(['mirror', 'backups', 'cluster', 'edges'].map(stateOf)).toEqual(
      Array.from({ length: 4 }, () => 'off'),
    )
  }
  await using service = await open()
  const before = await pageAt(service.url)
  const id = String(before.Notifications[0]?.['About'])
  await fetch(`${service.url}/api/webhooks/${id}`, { method: 'DELETE', headers: account })
  await until(async () => (await pageAt(service.url)).Open === 0)
  await listening.until(2)
  expect(listening.received.map(({ event }) => event)).toEqual([
    'notification.raised',
    'notification.resolved',
  ])
  expect((await pageAt(service.url, '?state=ended')).Notifications).toHaveLength(1)
}, 60_000)
