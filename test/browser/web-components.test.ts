import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'

import { painted, photoPainter } from '../fixtures/sample-images.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { measurePage } from './page-measures.ts'

const executable = findChromium('web components in a page of another site')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
let html = ''
let directory: string
const photograph = 'acme/v1/photos/photo.jpg'

/** A site that has copied the modules and has no key. */
const site = Bun.serve({
  hostname: '127.0.0.1',
  port: 0,
  async fetch({ url }) {
    const { pathname } = new URL(url)
    if (pathname === '/may-upload')
      return new Response(await grantFor({ Prefix: 'acme/v1/sent/', Overwrite: true, Times: 9 }))
    if (pathname.endsWith('.js'))
      return new Response(Bun.file(join(import.meta.dir, '../../client', pathname)))
    return new Response(html, { headers: { 'Content-Type': 'text/html' } })
  },
})
undo.defer(() => site.stop(true))

const send = (path: string, method: string, body: BodyInit) =>
  fetch(`${service.url}${path}`, { method, body, headers: { ...access, ...account } })

async function grantFor(terms: object): Promise<string> {
  const response = await send('/api/uploads/grants', 'POST', JSON.stringify(terms))
  return ((await response.json()) as { readonly ResumableUrl: string }).ResumableUrl
}

beforeAll(async () => {
  if (executable === undefined) return
  directory = undo.use(await temporaryDirectory()).path
  service = undo.use(await openLocalService({ dataDirectory: join(directory, 'data') }))
  await send('/api/core/zones', 'POST', '{"Name":"acme"}')
  const jpeg = await painted({ width: 1500, height: 1000 }, photoPainter(5)).jpeg().toBuffer()
  await send(`/api/storage/${photograph}`, 'PUT', new Uint8Array(jpeg))
  const alt = { Alt: { en: 'A hill', de: 'Ein Hügel' } }
  await send(`/api/assets/metadata?path=${photograph}`, 'PATCH', JSON.stringify(alt))
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

const pageOf = (head: string, body: string) =>
  `<!doctype html><html lang="de"><meta charset="utf-8"><title>Site</title>
<style>body { margin: 0; width: 600px }</style>
${head}${body}<p>What follows must not move.</p>`

test.skipIf(executable === undefined)(
  '<sedge-picture> shows what its box needs, and nothing moves',
  async () => {
    html = pageOf(
      '<script type="module" blocking="render" src="/sedge-picture.js"></script>',
      `<sedge-picture url="${service.url}" src="/${photograph}" width="1500" height="1000" alt="Here" sizes="600px"></sedge-picture>`,
    )
    for (const pixelRatio of [1, 2]) {
      const screen = { width: 800, height: 600, pixelRatio }
      const { layoutShift, images } = await measurePage(browser, site.url.href, screen)
      const [image] = images
      expect({ layoutShift, alt: image?.alt, type: image?.contentType }).toEqual({
        layoutShift: 0,
        alt: 'Here',
        type: 'image/avif',
      })
      expect(image?.boxWidth).toBe(600 * pixelRatio)
      expect(image?.boxHeight).toBe(400 * pixelRatio)
      expect(image?.width).toBe(pixelRatio === 1 ? 600 : 1280)
    }
  },
  60_000,
)

test.skipIf(executable === undefined)(
  '<sedge-picture> without a size asks what there is to say of the image',
  async () => {
    html = pageOf(
      '',
      `<sedge-picture url="${service.url}" src="${photograph}" sizes="300px"></sedge-picture>`,
    )
    await using page = await browser.newPage()
    await page.goto(site.url.href)
    await page.addScriptTag({ type: 'module', url: '/sedge-picture.js' })
    const image = page.locator('sedge-picture img')
    await image.waitFor()
    const said = await image.evaluate((element: HTMLImageElement) => ({
      alt: element.alt,
      width: element.getAttribute('width'),
      height: element.getAttribute('height'),
      sizes: element.sizes,
      background: element.style.background.slice(0, 20),
    }))
    expect(said).toEqual({
      alt: 'Ein Hügel',
      width: '1500',
      height: '1000',
      sizes: '300px',
      background: 'url("data:image/webp',
    })
    const failed = await page.evaluate(async () => {
      const element = document.querySelector('sedge-picture')
      const error = new Promise((resolve) =>
        element?.addEventListener('error', () => resolve('told')),
      )
      element?.setAttribute('src', 'acme/v1/photos/none.jpg')
      return await error
    })
    expect(failed).toBe('told')
  },
  60_000,
)

const uploadPage = (attributes: string) =>
  pageOf(
    `<script type="module">
import '/sedge-upload.js'
const element = document.querySelector('sedge-upload')
if (!element.hasAttribute('token')) element.permission = async () => (await fetch('/may-upload')).text()
element.addEventListener('stored', ({ detail }) => (document.title = 'stored ' + detail.Path))
element.addEventListener('failed', ({ detail }) => (document.title = 'failed ' + detail.code))
</script>`,
    `<sedge-upload url="${service.url}" path="acme/v1/sent/" accept="image/*" ${attributes}></sedge-upload>`,
  )

const titled = (page: Page, start: string) =>
  page.waitForFunction((text) => document.title.startsWith(text), start)

async function file(name: string, megabytes: number): Promise<{ path: string; sha256: string }> {
  const path = join(directory, name)
  const bytes = new Uint8Array(megabytes * 2 ** 20).fill(megabytes)
  await Bun.write(path, bytes)
  return { path, sha256: new Bun.CryptoHasher('sha256').update(bytes).digest('hex') }
}

const storedSha = async (name: string) => {
  const response = await fetch(`${service.url}/acme/v1/sent/${name}`)
  return new Bun.CryptoHasher('sha256').update(await response.bytes()).digest('hex')
}

test.skipIf(executable === undefined)(
  '<sedge-upload> stores what is chosen by an upload grant, past a lost connection and a reload',
  async () => {
    html = uploadPage('')
    await using page = await browser.newPage()
    await page.goto(site.url.href)
    const { path, sha256 } = await file('film.bin', 20)
    let sent = 0
    // The first piece arrives, the second never does.
    await page.route('**/api/uploads/staged/*', (route) => {
      if (route.request().method() !== 'PATCH') return route.continue()
      sent += 1
      return sent === 1 ? route.continue() : route.abort()
    })
    await page.setInputFiles('sedge-upload input', path)
    await page.waitForFunction(() => (document.querySelector('progress')?.value ?? 0) > 8_000_000)
    await page.reload()
    // Not before: what the page tries again meanwhile would arrive.
    await page.unroute('**/api/uploads/staged/*')
    const pieces: string[] = []
    page.on('request', (request) => {
      if (request.method() === 'PATCH') pieces.push(request.headers()['upload-offset'] ?? '')
    })
    await page.setInputFiles('sedge-upload input', path)
    await titled(page, 'stored clients/acme/v1/sent/film.bin')
    // It goes on at what had arrived by then, maybe of the second piece too.
    expect(Number(pieces[0])).toBeGreaterThanOrEqual(8 * 2 ** 20)
    expect(await storedSha('film.bin')).toBe(sha256)
    const bar = await page
      .locator('progress')
      .evaluate(({ value, max }: HTMLProgressElement) => value / max)
    expect(bar).toBe(1)
    expect(await page.evaluate(() => localStorage.length)).toBe(0)
  },
  60_000,
)

test.skipIf(executable === undefined)(
  '<sedge-upload> takes a token, and says why a file is refused',
  async () => {
    html = uploadPage('token="cdnsk_wrong"')
    await using page = await browser.newPage()
    await page.goto(site.url.href)
    const { path } = await file('small.bin', 1)
    await page.setInputFiles('sedge-upload input', path)
    await page.waitForFunction(() => document.title !== 'Site')
    // A page of another origin may not even send a token, unless the operator names it.
    expect(await page.title()).toStartWith('failed')
  },
  60_000,
)
