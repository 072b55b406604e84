import { expect, test } from 'bun:test'

import { MemoryDatabase } from '../../adapters/memory/content/memory-database.ts'
import { MemoryWebhookStore } from '../../adapters/memory/webhooks/memory-webhook-store.ts'
import { Secret } from '../../lib/secrets/secret.ts'
import { createTextSealer } from '../../lib/secrets/text-sealer.ts'
import { at, auditOf } from '../../ports/content/publication-store.contract.ts'
import { webhookOf } from '../../ports/webhooks/webhook-store.contract.ts'
import { resealSecrets } from './reseal-secrets.ts'
import { createWebhookVault } from './webhook-vault.ts'

const vaultOf = (...keys: [string, ...string[]]) => {
  const [first, ...rest] = keys
  const secrets = [new Secret(first), ...rest.map((key) => new Secret(key))] as const
  return createWebhookVault(createTextSealer(secrets, 'webhooks'))
}

test('a sealed secret opens for its own webhook alone', () => {
  const vault = vaultOf('key')
  const sealedSecret = vault.seal({ id: 'a' }, 'the secret')

  expect(sealedSecret).not.toContain('the secret')
  expect(vault.open(webhookOf('a', { sealedSecret }))?.secret).toBe('the secret')
  expect(vault.open(webhookOf('b', { sealedSecret }))).toBeUndefined()
})

test('after a rotation of the key all is sealed anew, and the former key opens nothing', async () => {
  const [former, both, newer] = [vaultOf('former'), vaultOf('new', 'former'), vaultOf('new')]
  const store = new MemoryWebhookStore(new MemoryDatabase())
  const webhook = webhookOf('a', {
    sealedSecret: former.seal({ id: 'a' }, 'one'),
    previousSecret: { sealed: former.seal({ id: 'a' }, 'zero'), validUntil: at(9) },
  })
  await store.add(webhook, { limit: 25, audit: auditOf({}) })
  await resealSecrets({ store, vault: both, now: () => at(1) })
  const [resealed = webhook] = await store.list()

  expect(former.open(resealed)).toBeUndefined()
  expect(newer.open(resealed)).toMatchObject({
    secret: 'one',
    previousSecret: { text: 'zero', validUntil: at(9) },
  })
  await resealSecrets({ store, vault: both, now: () => at(1) })
  expect(await store.list()).toEqual([resealed])
})
