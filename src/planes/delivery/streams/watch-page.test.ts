import { expect, test } from 'bun:test'

import { createWatchPage } from './watch-page.ts'
import { createWatchFiles } from '../../../wiring/pages/page-files.ts'

const page = createWatchPage(createWatchFiles())
const get = (path: string, init: RequestInit = {}) =>
  page.fetch(new Request(`https://cdn.example${path}`, init))

test('the page and its parts are served under a policy that lets nothing else in', async () => {
  const types = {
    '/watch?path=a': 'text/html',
    '/watch/watch.css': 'text/css',
    '/watch/watch.js': 'text/javascript',
  }
  for (const [path, type] of Object.entries(types)) {
    const response = await get(path)

    expect(response?.status).toBe(200)
    expect(response?.headers.get('content-type')).toStartWith(type)
    expect(response?.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(response?.headers.get('content-security-policy')).not.toContain('unsafe')
  }
})

test('the page has no script or style of its own in it', async () => {
  const html = (await (await get('/watch'))?.text()) ?? ''

  expect(html).not.toMatch(/<script(?![^>]*\ssrc=)|<style|\son\w+=|\sstyle=|javascript:/u)
  expect(html).toContain('lang="en"')
  expect(html.match(/https?:\/\//gu)).toBeNull()
})

test('every control of the page has a label', async () => {
  const html = (await (await get('/watch'))?.text()) ?? ''
  const labelled = [...html.matchAll(/<label for="(\w+)"/gu)].map(([, id]) => id)

  expect([...html.matchAll(/<select id="(\w+)"/gu)].map(([, id]) => id)).toEqual(labelled)
})

test('what a browser has it is not sent again', async () => {
  const first = await get('/watch/watch.js', { headers: { 'accept-encoding': 'br' } })
  const etag = first?.headers.get('etag') ?? ''

  expect(first?.headers.get('content-encoding')).toBe('br')
  expect((await get('/watch/watch.js', { headers: { 'if-none-match': etag } }))?.status).toBe(304)
})

test("other addresses are not the page's, and it takes no writes", async () => {
  expect(await get('/watch/../secret')).toBeUndefined()
  expect(await get('/watch/constructor')).toBeUndefined()
  expect((await get('/watch', { method: 'POST' }))?.status).toBe(405)
})
