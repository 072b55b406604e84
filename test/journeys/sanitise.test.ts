import { expect, test } from 'bun:test'

import { openInProcess } from '../support/in-process-service.ts'

const path = 'acme/v1/icons/a.svg'
const active = `<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"><script>alert(1)</script><a href="https://evil.example/"/><rect width="1" height="1"/></svg>`

test('SVGs are delivered without anything that acts where a rule asks it, and stay as they are stored', async () => {
  await using service = await openInProcess()
  await service.createZone('acme')
  await service.storage('PUT', path, { body: active })
  expect(await (await service.fetch(`/${path}`)).text()).toBe(active)

  const Content = '/acme/v1/icons/*\n  X-Sanitize: svg\n'
  const ruled = await service.core('POST', 'rules', { File: '_headers', Content })
  expect(await ruled.json()).toMatchObject({ HttpCode: 200, Warnings: [] })
  const delivered = await service.fetch(`/${path}`)
  const text = await delivered.text()

  expect([delivered.status, delivered.headers.get('x-sanitize')]).toEqual([200, null])
  expect(text).toContain('<rect')
  for (const gone of ['script', 'onload', 'evil']) expect(text).not.toContain(gone)
  expect(await (await service.storage('GET', path)).text()).toBe(active)

  await service.storage('PUT', path, { body: '<!DOCTYPE svg [<!ENTITY x "y">]><svg>&x;</svg>' })
  const refused = await service.fetch(`/${path}`)
  expect([refused.status, (await refused.json()).error.code]).toEqual([422, 'UnprocessableImage'])
})
