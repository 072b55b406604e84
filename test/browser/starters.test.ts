import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import sharp from 'sharp'

import { freePort } from '../support/free-port.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { have } from '../support/needs.ts'
import { access, account, temporaryDirectory } from '../support/service-process.ts'
import { prepareStarter, type Starter, starterNeed } from '../support/starters.ts'
import { until } from '../support/until.ts'
import { findChromium, launchChromium } from './chromium.ts'
import { measurePage, type ShownImage } from './page-measures.ts'

const executable = findChromium('apps of frameworks')
const undo = new AsyncDisposableStack()
let service: LocalService
let browser: Browser
const limitMs = 300_000

const photographs = join(import.meta.dir, '../../tools/node_modules/@vladmandic/face-api/demo')

async function store(path: string, photograph: string, size: readonly [number, number]) {
  const image = sharp(join(photographs, photograph)).resize(...size)
  const body = new Uint8Array(await image.jpeg({ quality: 90 }).toBuffer())
  const put = { method: 'PUT', headers: access, body }
  expect((await fetch(`${service.url}/api/storage/${path}`, put)).status).toBe(201)
}

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory())
  service = undo.use(await openLocalService({ dataDirectory: directory.path }))
  const zone = { method: 'POST', headers: account, body: '{"Name":"acme"}' }
  await fetch(`${service.url}/api/core/zones`, zone)
  await store('acme/v1/banners/hero.jpg', 'sample1.jpg', [1500, 1000])
  await store('acme/v1/photos/team.jpg', 'sample2.jpg', [900, 600])
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, 60_000)
afterAll(() => undo.disposeAsync())

/** Serves what is built as any host of files does. */
function serveFiles(directory: string): { readonly url: string } & AsyncDisposable {
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url }) {
      const { pathname } = new URL(url)
      const file = Bun.file(
        join(directory, pathname.endsWith('/') ? `${pathname}index.html` : pathname),
      )
      return (await file.exists()) ? new Response(file) : new Response(null, { status: 404 })
    },
  })
  return { url: server.url.href, [Symbol.asyncDispose]: () => server.stop(true) }
}

async function startNext({ directory }: Starter) {
  const port = await freePort()
  const command = [process.execPath, 'node_modules/next/dist/bin/next', 'start', '-p', String(port)]
  const child = Bun.spawn(['node', ...command.slice(1)], {
    cwd: directory,
    stdout: 'ignore',
    stderr: 'ignore',
  })
  const url = `http://127.0.0.1:${port}/`
  await until(async () => (await fetch(url).catch(() => undefined))?.ok === true)
  return {
    url,
    async [Symbol.asyncDispose]() {
      child.kill()
      await child.exited
    },
  }
}

/** Phones and screens: narrow and dense, usual, wide, and wide and dense. */
const screens = [
  { width: 390, height: 800, pixelRatio: 2 },
  { width: 800, height: 600, pixelRatio: 1 },
  { width: 1280, height: 800, pixelRatio: 1 },
]

const mostTooLarge = 1.25

function requireFitting(image: ShownImage, screen: object): void {
  const { width, height, boxWidth, boxHeight } = image
  const isTooLarge = width > mostTooLarge * boxWidth + 1 || height > mostTooLarge * boxHeight + 1
  // Far less would be too coarse: browsers take the nearest that there is.
  const isTooSmall = width < boxWidth / mostTooLarge - 1 && width < 1500
  if (isTooLarge || isTooSmall) expect({ screen, ...image }).toBeUndefined()
}

async function requireSoundPage(url: string, count: number): Promise<void> {
  for (const screen of screens) {
    const { layoutShift, images } = await measurePage(browser, url, screen)
    expect({ screen, layoutShift, count: images.length }).toEqual({ screen, layoutShift: 0, count })
    for (const image of images) {
      requireFitting(image, screen)
      expect(image.url).toStartWith(`${service.url}/api/transform?url=/acme/v1/`)
      expect(image.contentType).toBe('image/avif')
    }
  }
}

const node = (program: string, ...words: readonly string[]) => [
  'node',
  `node_modules/${program}`,
  ...words,
]
/** These take newer versions of Node than there may be. */
const bun = (program: string, ...words: readonly string[]) => [
  process.execPath,
  '--bun',
  `node_modules/${program}`,
  ...words,
]

const testStarter = (name: string, what: string, run: () => Promise<void>) => {
  if (have(what, starterNeed(name))) test.skipIf(executable === undefined)(what, run, limitMs)
}

testStarter(
  'next',
  'the app of create-next-app shows images that fit, and nothing moves',
  async () => {
    const starter = await prepareStarter('next', 'Next')
    await starter.run(node('next/dist/bin/next', 'build'), { NEXT_PUBLIC_SEDGE_URL: service.url })
    await using app = await startNext(starter)
    await requireSoundPage(app.url, 2)
    const html = await (await fetch(app.url)).text()
    expect(html).toContain('data:image/webp;base64,')
    expect(html).toMatch(/&amp;v=[0-9a-f]{16}&amp;w=1080/u)
  },
)

testStarter('nuxt', 'an app of Nuxt shows images that fit, and nothing moves', async () => {
  const starter = await prepareStarter('nuxt', 'Nuxt')
  await starter.run(bun('.bin/nuxt', 'generate'), { SEDGE_URL: service.url })
  await using app = serveFiles(join(starter.directory, '.output/public'))
  await requireSoundPage(app.url, 2)
})

testStarter('astro', 'an app of Astro shows images that fit, and nothing moves', async () => {
  const starter = await prepareStarter('astro', 'Astro')
  await starter.run(bun('.bin/astro', 'build'), { SEDGE_URL: service.url })
  await using app = serveFiles(join(starter.directory, 'dist'))
  await requireSoundPage(app.url, 2)
})

testStarter('vite', 'the app of create-vite shows images that fit, and nothing moves', async () => {
  const starter = await prepareStarter('vite', 'Unpic')
  await starter.run(node('typescript/bin/tsc', '-b'), {})
  await starter.run(node('vite/bin/vite.js', 'build'), { VITE_SEDGE_URL: service.url })
  await using app = serveFiles(join(starter.directory, 'dist'))
  await requireSoundPage(app.url, 2)
})

testStarter('vite', 'Vite bundles the web components, and they show images that fit', async () => {
  const starter = await prepareStarter('vite', 'Web components')
  const page = `<!doctype html><html lang="en"><meta charset="utf-8"><title>Elements</title>
<style>body { margin: 0 }</style><div id="app"></div>
<script type="module">
import 'sedge/sedge-picture'
import 'sedge/sedge-upload'
for (const [src, width, height, sizes, box] of [
  ['/acme/v1/banners/hero.jpg', 1500, 1000, '100vw', '100%'],
  ['/acme/v1/photos/team.jpg', 300, 200, '300px', '300px'],
]) {
  const element = document.createElement('sedge-picture')
  const attributes = { url: '${service.url}', src, width, height, sizes, alt: '' }
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value)
  element.style.width = box
  document.querySelector('#app').append(element)
}
</script></html>`
  await Bun.write(join(starter.directory, 'elements/index.html'), page)
  const words = ['build', 'elements', '--outDir', '../dist-elements', '--emptyOutDir']
  await starter.run(node('vite/bin/vite.js', ...words), {})
  await using app = serveFiles(join(starter.directory, 'dist-elements'))
  await requireSoundPage(app.url, 2)
})
