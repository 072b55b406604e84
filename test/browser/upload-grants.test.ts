import { afterAll, beforeAll, expect, test } from 'bun:test'
import type { Browser } from 'playwright-core'

import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('an upload by a page without a key')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let page = ''

/** A shop that has no key in its pages: a form, and a script that sends a file by itself. */
const shop = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  fetch: ({ url }) =>
    new Response(new URL(url).pathname === '/thanks' ? '<h1>Thanks</h1>' : page, {
      headers: { 'Content-Type': 'text/html' },
    }),
})
undo.defer(() => shop.stop(true))

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(await openLocalService({ dataDirectory: directory.path }))
  await ask('/api/core/zones', { Name: 'acme' }, account)
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

async function ask(path: string, body: object, headers: Readonly<Record<string, string>>) {
  const response = await fetch(`${service.url}${path}`, {
    method: 'POST',
    headers: { ...headers, 'Content-Type': 'application/json' },
    body: JSON.stringify(body),
  })
  return (await response.json()) as { readonly Url: string }
}

const grant = (terms: object) => ask('/api/uploads/grants', terms, access)
const image = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR4nGNgYGD4DwABBAEAX+XDSwAAAABJRU5ErkJggg==',
  'base64',
)

test.skipIf(executable === undefined)(
  'a form of another site stores what is chosen and leads on to that site',
  async () => {
    const { Url: url } = await grant({
      Prefix: 'acme/v1/banners/',
      Types: ['image/*'],
      Origins: [shop.url.origin],
    })
    page = `<!doctype html><meta charset="utf-8">
<form action="${url}" method="post" enctype="multipart/form-data">
  <input type="hidden" name="success_action_redirect" value="${shop.url.origin}/thanks">
  <input type="file" name="file" accept="image/*">
  <button>Send</button>
</form>`
    const opened = await browser.newPage()
    await opened.goto(shop.url.href)
    await opened.setInputFiles('input[type=file]', {
      name: 'my "photo" ü.png',
      mimeType: 'image/png',
      buffer: image,
    })
    await opened.click('button')
    await opened.waitForURL('**/thanks**')

    const path = new URL(opened.url()).searchParams.get('path') ?? ''
    expect(path).toBe('acme/v1/banners/my "photo" ü.png')
    const delivered = await fetch(`${service.url}/${encodeURI(path)}`)
    expect(Buffer.from(await delivered.arrayBuffer())).toEqual(image)
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a form in another encoding stores what is chosen where the grant names the file',
  async () => {
    const choose = async (terms: object) => {
      const { Url: url } = await grant(terms)
      page = `<!doctype html><meta charset="windows-1252">
<form action="${url}" method="post" enctype="multipart/form-data">
  <input type="file" name="file"><button>Send</button>
</form>`
      const opened = await browser.newPage()
      await opened.goto(shop.url.href)
      const file = { name: 'ü.png', mimeType: 'image/png', buffer: image }
      await opened.setInputFiles('input[type=file]', file)
      await opened.click('button')
      await opened.waitForURL('**/granted/**')
      return await opened.innerText('body')
    }

    expect(await choose({ Path: 'acme/v1/banners/one.png' })).toContain('File uploaded')
    expect(await choose({ Prefix: 'acme/v1/banners/' })).toContain('accept-charset')
  },
  60_000,
)

test.skipIf(executable === undefined)(
  'a script of another site sends a file, and reads why one is refused',
  async () => {
    const { Url: url } = await grant({ Path: 'acme/v1/banners/sent.png', Types: ['image/*'] })
    page = '<!doctype html><title>Shop</title>'
    const opened = await browser.newPage()
    await opened.goto(shop.url.href)
    const send = (bytes: readonly number[]) =>
      opened.evaluate(
        async ([target, sent]) => {
          const response = await fetch(target, { method: 'PUT', body: new Uint8Array(sent) })
          const { Message: message } = (await response.json()) as { Message: string }
          return { status: response.status, message }
        },
        [url, [...bytes]] as const,
      )

    expect(await send([...Buffer.from('<script>alert(1)</script>')])).toEqual({
      status: 415,
      message: 'The grant allows image/*; the bytes are text/html',
    })
    expect(await send([...image])).toEqual({ status: 201, message: 'File uploaded' })
    expect((await send([...image])).status).toBe(403)
  },
  60_000,
)
