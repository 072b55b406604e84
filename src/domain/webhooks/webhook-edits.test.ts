import { expect, test } from 'bun:test'

import { webhookOf } from '../../ports/webhooks/webhook-store.contract.ts'
import { changesBetween, edited, type WebhookEdit } from './webhook-edits.ts'

const vault = { seal: () => 'v1.new', open: () => undefined, reseal: () => undefined }
const known = webhookOf('a', { failingSince: new Date(1), events: ['asset.created'] })

const change = (edit: WebhookEdit, secret?: string) =>
  edited(known, {
    edit,
    url: edit.url ?? known.url,
    secret,
    at: new Date(0),
    vault,
    ...(edit.zones !== undefined && { zones: edit.zones ?? undefined }),
  })

test('what is left out stays as it is, and a webhook at another URL has not failed yet', () => {
  expect(change({})).toEqual(known)
  expect(change({ events: ['asset.created', '*'] }).events).toEqual(['*'])
  expect(change({ ordered: false, zones: ['acme'] })).toEqual({
    ...known,
    ordered: false,
    zones: ['acme'],
  })
  expect(change({ url: 'https://other.example/' }).failingSince).toBeUndefined()
  expect(change({ url: known.url }).failingSince).toEqual(new Date(1))
})

test('the audit log is told what became of which setting, and nothing that is secret', () => {
  expect(changesBetween(known, change({ events: ['*'], zones: ['acme'] }))).toEqual({
    before: { events: ['asset.created'], zones: 'all' },
    after: { events: ['*'], zones: ['acme'] },
  })
  expect(changesBetween(known, change({ url: 'https://x.example/token' }, 'secret'))).toEqual({
    before: { url: 'https://hooks.example/…', secret: 'hidden' },
    after: { url: 'https://x.example/…', secret: 'changed' },
  })
  expect(changesBetween(known, change({ url: 'https://hooks.example/b' }))).toEqual({
    before: { url: 'https://hooks.example/…' },
    after: { url: 'https://hooks.example/… (another path)' },
  })
  expect(changesBetween(known, change({ active: true }))).toEqual({})
})
