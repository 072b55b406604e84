import { afterAll, beforeAll, expect, test } from 'bun:test'
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'

import { codeBlocks } from '../support/code-blocks.ts'
import { type CuttingProxy, openCuttingProxy } from '../support/cutting-proxy.ts'
import {
  access,
  type ServiceProcess,
  startService,
  temporaryDirectory,
} from '../support/service-process.ts'
import { makeUploadFile, type UploadFile } from '../support/upload-file.ts'
import { worldOf } from '../support/world.ts'
import { findChromium, launchChromium } from './chromium.ts'

const executable = findChromium('Uppy in a browser')
const limitMs = 600_000
const undo = new AsyncDisposableStack()
let file: UploadFile
let service: ServiceProcess
let proxy: CuttingProxy
let browser: Browser
let site: string

/** The page of the documentation and its program, bundled as people bundle theirs. */
async function pageOfDocumentation(directory: string) {
  const blocks = await codeBlocks('docs/uploads.md')
  const codeOf = (language: string) => blocks.find((each) => each.language === language)?.code ?? ''
  const root = join(import.meta.dir, '..', '..')
  // Where its imports are found as those of the tests are.
  const entry = join(directory, 'upload.js')
  await mkdir(directory, { recursive: true })
  await Bun.write(entry, codeOf('js'))
  const { outputs } = await Bun.build({
    entrypoints: [entry],
    target: 'browser',
    plugins: [
      {
        name: 'packages of the tests',
        setup(build) {
          build.onResolve({ filter: /^@uppy\// }, ({ path }) => ({
            path: Bun.resolveSync(path, join(root, 'tools')),
          }))
        },
      },
    ],
  })
  return { html: codeOf('html'), script: (await outputs[0]?.text()) ?? '' }
}

/** Somebody's own site: the page, and the server behind it that has the key. */
async function openSite(directory: string, grantUrl: string): Promise<string> {
  const { html, script } = await pageOfDocumentation(directory)
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    async fetch({ url }) {
      const { pathname } = new URL(url)
      if (pathname === '/upload.js')
        return new Response(script, { headers: { 'Content-Type': 'text/javascript' } })
      if (pathname !== '/may-upload')
        return new Response(html, { headers: { 'Content-Type': 'text/html' } })
      const granted = await fetch(grantUrl, {
        method: 'POST',
        headers: { ...access, 'Content-Type': 'application/json' },
        body: JSON.stringify({ Prefix: 'acme/v1/titles/' }),
      })
      return Response.json(await granted.json())
    },
  })
  undo.defer(() => server.stop(true))
  return server.url.origin
}

beforeAll(async () => {
  if (executable === undefined) return
  const directory = undo.use(await temporaryDirectory()).path
  file = await makeUploadFile(directory)
  service = undo.use(await startService({ dataDirectory: join(directory, 'data') }))
  await worldOf(service).zone('acme')
  const afterBytes = Math.floor(file.sizeBytes / 4)
  proxy = undo.use(await openCuttingProxy(service.url, { afterBytes, times: 3 }))
  site = await openSite(join(directory, 'page'), `${proxy.url}/api/uploads/grants`)
  browser = await launchChromium(executable)
  undo.defer(() => browser.close())
}, limitMs)
afterAll(() => undo.disposeAsync())

test.skipIf(executable === undefined)(
  'the page of the documentation uploads with a grant, through connections that are cut',
  async () => {
    const page = await browser.newPage()
    const faults: string[] = []
    page.on('pageerror', (error) => void faults.push(error.message))
    await page.goto(site)
    await page.locator('#file').setInputFiles(file.path)
    await page.getByText('film.mp4 is stored').waitFor({ timeout: limitMs })
    expect(await page.locator('#progress').evaluate((each) => each.getAttribute('max'))).toBe('100')
    expect(faults).toEqual([])
    expect(proxy.cuts).toBe(3)
    const { headers } = await fetch(`${service.url}/api/storage/acme/v1/titles/film.mp4`, {
      method: 'HEAD',
      headers: access,
    })
    expect(headers.get('checksum')).toBe(file.sha256)
  },
  limitMs,
)
