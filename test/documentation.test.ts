import { afterAll, beforeAll, expect, test } from 'bun:test'
import { existsSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'

import { Glob } from 'bun'

import { type InProcessService, openInProcess } from './support/in-process-service.ts'
import { openLocalService } from './support/local-service.ts'
import { account, temporaryDirectory, testKeys } from './support/service-process.ts'

const undo = new AsyncDisposableStack()
let service: InProcessService
/** Every page that can be reached from the home page, by path. */
let pages: ReadonlyMap<string, string>

beforeAll(async () => {
  service = undo.use(await openInProcess())
  pages = await crawl()
}, 60_000)
afterAll(() => undo.disposeAsync())

const root = join(import.meta.dir, '..')
const linksOf = (html: string): readonly string[] =>
  [...html.matchAll(/\s(?:href|src)="([^"]*)"/gu)].map(([, href = '']) => href)
const isOurs = (href: string): boolean => href.startsWith('/')
const isText = (path: string): boolean => path === '/' || /^\/docs\/[\w-]*$/u.test(path)

async function crawl(): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  const waiting = ['/']
  for (let path = waiting.pop(); path !== undefined; path = waiting.pop()) {
    if (found.has(path)) continue
    const response = await service.fetch(path, { headers: { Accept: 'text/html' } })
    expect({ path, status: response.status }).toEqual({ path, status: 200 })
    const html = await response.text()
    found.set(path, html)
    const next = linksOf(html).map((href) => href.split('#')[0] ?? '')
    waiting.push(...next.filter((href) => isOurs(href) && isText(href)))
  }
  return found
}

test('every file of the documentation is a page, and can be reached', async () => {
  const files = [...new Glob('*.md').scanSync(join(root, 'docs'))]

  for (const file of files) expect([...pages.keys()]).toContain(`/docs/${file.slice(0, -3)}`)
})

const idsOf = (html: string): ReadonlySet<string> =>
  new Set([...html.matchAll(/\sid="([^"]*)"/gu)].map(([, id = '']) => id))

/** What is wrong with a link of a page, where it can be told from the pages alone. */
function faultOf(href: string, html: string): string | undefined {
  const [path = '', fragment] = href.split('#')
  if (path !== '' && !isOurs(path)) return href.startsWith('https://') ? undefined : 'no address'
  const target = path === '' ? html : pages.get(path)
  const leadsNowhere = fragment !== undefined && target && !idsOf(target).has(fragment)
  return leadsNowhere === true ? 'no such heading' : undefined
}

test('every link of every page leads somewhere', async () => {
  const others = new Set<string>()
  for (const [page, html] of pages) {
    expect({ page, unresolved: html.match(/<a>/gu) }).toEqual({ page, unresolved: null })
    for (const href of linksOf(html)) {
      expect({ page, href, fault: faultOf(href, html) }).toEqual({ page, href, fault: undefined })
      if (isOurs(href)) others.add(href.split('#')[0] ?? '')
    }
  }
  for (const path of others) {
    const { ok, status } = await service.fetch(path)
    expect({ path, status, leads: ok || status < 400 }).toEqual({ path, status, leads: true })
  }
})

/** The URL of a heading, as GitHub and our pages make it. */
const slugs = (markdown: string): ReadonlySet<string> =>
  new Set(
    [
      ...Bun.markdown.html(markdown, { headings: { ids: true } }).matchAll(/<h\d id="([^"]*)"/gu),
    ].map(([, id = '']) => id),
  )

test('every relative link between the files of the repository leads to a file', async () => {
  const folders = ['', 'docs/', 'decisions/', 'bench/', 'bench/results/']
  const files = folders.flatMap((folder) => [...new Glob(`${folder}*.md`).scanSync(root)])
  expect(files).toContain('docs/errors.md')
  for (const file of files) {
    const markdown = await Bun.file(join(root, file)).text()
    for (const [, href = ''] of markdown
      .replaceAll(/```[\s\S]*?```|`[^`\n]*`/gu, '')
      .matchAll(/\]\(([^)\s]+)\)/gu)) {
      if (/^(?:https?:|mailto:|\/)/u.test(href)) continue
      const [path = '', fragment] = href.split('#')
      const target = path === '' ? file : relative(root, join(root, dirname(file), path))
      expect({ file, href, exists: existsSync(join(root, target)) }).toEqual({
        file,
        href,
        exists: true,
      })
      if (fragment === undefined || !target.endsWith('.md')) continue
      const known = slugs(await Bun.file(join(root, target)).text())
      expect({ file, href, known: known.has(fragment) }).toEqual({ file, href, known: true })
    }
  }
})

test('no page has a script or style in it, loads from elsewhere, or holds a secret', async () => {
  for (const [page, html] of pages) {
    expect({
      page,
      found: html.match(/<script(?![^>]*\ssrc="\/)|<style|\son\w+=|\sstyle=/gu),
    }).toEqual({
      page,
      found: null,
    })
    expect({ page, found: html.match(/<(?:script|img|link)[^>]*(?:src|href)="(?!\/)/gu) }).toEqual({
      page,
      found: null,
    })
    for (const secret of Object.values(testKeys)) expect(html).not.toContain(secret)
  }
})

test('programs that do not take HTML are told the same at the home page', async () => {
  const asked = async (accept?: string) =>
    await service.fetch('/', accept === undefined ? {} : { headers: { Accept: accept } })

  expect((await asked()).headers.get('content-type')).toStartWith('text/html')
  expect((await asked('*/*')).headers.get('content-type')).toStartWith('text/html')
  const json = await asked('application/json')
  expect(json.headers.get('vary')).toContain('Accept')
  const { links } = (await json.json()) as { links: Record<string, string> }
  for (const path of Object.values(links))
    expect((await service.fetch(path)).status).toBeLessThan(400)
  const refused = await asked('image/png')
  expect(refused.status).toBe(406)
  expect(await refused.json()).toMatchObject({ error: { code: 'NotAcceptable' }, HttpCode: 406 })
})

test('pages are answered to GET and HEAD alone, under a policy that lets nothing else in', async () => {
  for (const path of ['/', '/docs/', '/docs/site.css', '/api/docs', '/api/docs/scalar.js']) {
    const head = await service.fetch(path, { method: 'HEAD' })
    expect(head.status).toBe(200)
    expect(await head.text()).toBe('')
    expect(head.headers.get('content-security-policy')).toStartWith(
      "default-src 'none'; script-src 'self'",
    )
    expect(head.headers.get('x-api-version')).toBe('2026-04-01')
    expect(head.headers.get('x-request-id')).toMatch(/^[0-9a-f-]{36}$/u)
    expect(head.headers.get('x-content-type-options')).toBe('nosniff')
    const post = await service.fetch(path, { method: 'POST' })
    expect(post.status).toBe(405)
    expect(post.headers.get('allow')).toBe('GET, HEAD')
  }
})

test('the former names of pages lead for good to what they are called today', async () => {
  for (const [former, current] of [
    ['films', 'video'],
    ['finding', 'search'],
    ['pictures', 'images'],
  ]) {
    const moved = await service.fetch(`/docs/${former}`, { redirect: 'manual' })
    expect(moved.status).toBe(308)
    expect(moved.headers.get('location')).toBe(`/docs/${current}`)
    expect((await service.fetch(`/docs/${current}`)).status).toBe(200)
    expect((await service.fetch(`/docs/${former}/`)).status).toBe(404)
  }
})

test('a browser that has a page is not sent it again', async () => {
  const first = await service.fetch('/docs/errors', { headers: { 'Accept-Encoding': 'br' } })
  const etag = first.headers.get('etag') ?? ''

  expect(first.headers.get('content-encoding')).toBe('br')
  const again = await service.fetch('/docs/errors', { headers: { 'If-None-Match': etag } })
  expect(again.status).toBe(304)
})

test('a zone may be called docs', async () => {
  await service.createZone('docs')
  await service.storage('PUT', 'docs/v1/logos/a.txt', { body: 'a' })

  expect(await (await service.fetch('/docs/v1/logos/a.txt')).text()).toBe('a')
  expect((await service.fetch('/docs/v1/logos/b.txt')).status).toBe(404)
})

test('a host name of a zone shows the zone alone', async () => {
  await using directory = await temporaryDirectory()
  await using local = await openLocalService({ dataDirectory: directory.path })
  const core = (path: string, body: object) =>
    fetch(`${local.url}/api/core/${path}`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify(body),
    })
  await core('zones', { Name: 'acme' })
  await core('zones/acme/domains', { Hostname: 'assets.acme.example' })

  for (const path of ['/', '/docs/', '/docs/errors', '/api/docs']) {
    expect((await fetch(local.url + path)).status).toBe(200)
    const asked = await fetch(local.url + path, { headers: { Host: 'assets.acme.example' } })
    expect({ path, status: asked.status }).toEqual({ path, status: 404 })
  }
}, 30_000)

test('a path that tries to climb out of the documentation finds nothing', async () => {
  for (const path of [
    '/docs/..%2Fpackage.json',
    '/docs/%2e%2e/src/main.ts',
    '/docs/openapi.json',
    '/docs/__proto__.md',
    '/docs/../README.md',
    '/docs/__proto__',
    '/api/docs/package.json',
    '/api/docs/../../package.json',
  ])
    expect({ path, status: (await service.fetch(path)).status }).toEqual({ path, status: 404 })
})

const foundAt = async (question: string, headers: Record<string, string> = {}) => {
  const response = await service.fetch(`/api/docs/search?${new URLSearchParams({ q: question })}`, {
    headers,
  })
  expect(response.status).toBe(200)
  const { results, degraded } = (await response.json()) as {
    readonly results: readonly { readonly page: string; readonly url: string }[]
    readonly degraded: boolean
  }
  return { paths: results.map(({ url }) => new URL(url).pathname), results, degraded, response }
}

test('a question finds the page that answers it', async () => {
  for (const [question, path] of [
    ['what is a zone?', '/docs/concepts'],
    ['what is a blob', '/docs/concepts'],
    ['nginx', '/docs/custom-domains'],
    ['cust dom', '/docs/custom-domains'],
    ['signed ur', '/docs/signed-urls'],
    ['purging', '/docs/purging'],
  ] as const)
    expect({ question, first: (await foundAt(question)).paths[0] }).toEqual({
      question,
      first: path,
    })
})

test('pages are found without a model, by words alone, and what was found may be kept', async () => {
  const { degraded, response } = await foundAt('signed url')

  expect(degraded).toBe(true)
  expect(response.headers.get('cache-control')).toBe('no-store')
  const { paths } = await foundAt('zzzz')
  expect(paths).toEqual([])
  for (const query of ['', 'q=', 'q=%20'])
    expect((await service.fetch(`/api/docs/search?${query}`)).status).toBe(400)
  const long = await foundAt('zone '.repeat(300))
  expect(long.paths.length).toBeLessThanOrEqual(8)
})

test('what is found is where it says, and each page is named once', async () => {
  const { results, paths } = await foundAt('rotate a key')
  expect(new Set(paths).size).toBe(paths.length)
  for (const { url } of results) {
    const { pathname, hash } = new URL(url)
    const html = pathname.startsWith('/docs/') ? await pageAt(pathname) : ''
    if (html !== '' && hash !== '')
      expect(html).toContain(` id="${decodeURIComponent(hash.slice(1))}"`)
  }
})

const pageAt = async (path: string): Promise<string> => await (await service.fetch(path)).text()

test('without a script, the search is answered with a page', async () => {
  const html = await pageAt('/docs/?q=what+is+a+zone%3F')
  expect(html).toContain('value="what is a zone?"')
  expect(html).toMatch(/<ol class="results"><li><a href="\/docs\/concepts#/u)
  const hostile = await pageAt(`/docs/?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
  expect(hostile).not.toContain('<script>alert')
  expect(hostile).toContain('&lt;script&gt;')
  expect(await pageAt('/docs/?q=zzzz')).toContain('No results')
})

test('each page is there as the Markdown that it is', async () => {
  const source = await Bun.file(join(root, 'docs', 'concepts.md')).text()
  const markdown = { headers: { Accept: 'text/markdown' } }
  for (const response of [
    await service.fetch('/docs/concepts.md'),
    await service.fetch('/docs/concepts', markdown),
  ]) {
    expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
    expect(await response.text()).toBe(source)
  }
  const page = await service.fetch('/docs/concepts', {
    headers: { Accept: 'text/html, */*;q=0.8' },
  })
  expect(page.headers.get('content-type')).toStartWith('text/html')
  expect(page.headers.get('vary')).toBe('Accept, Accept-Encoding')
})

test('a list for programs names every page, with a sentence about each', async () => {
  const list = await pageAt('/llms.txt')
  expect(list).toStartWith('# Sedge\n\n> ')
  const links = [...list.matchAll(/^- \[[^\]]+\]\((\/docs\/[\w-]+\.md)\): \S/gmu)].map(
    ([, path]) => path,
  )
  for (const file of new Glob('*.md').scanSync(join(root, 'docs')))
    expect(links).toContain(`/docs/${file}`)
  expect(
    await (await service.fetch('/docs/', { headers: { Accept: 'text/markdown' } })).text(),
  ).toBe(list)
})

test('a skill for assistants names every page, and says what the words mean', async () => {
  const response = await service.fetch('/docs/skills/sedge/SKILL.md')
  expect(response.headers.get('content-type')).toBe('text/markdown; charset=utf-8')
  const skill = await response.text()
  expect(skill).toMatch(/^---\nname: sedge\ndescription: [^\n]{50,1024}\n---\n/u)
  for (const file of new Glob('*.md').scanSync(join(root, 'docs'))) {
    const listed = new RegExp(`^- \`/docs/${file.replace('.', '\\.')}\`: \\S.{0,80}\\. \\S`, 'mu')
    expect({ file, isListed: listed.test(skill) }).toEqual({ file, isListed: true })
  }
  const concepts = await Bun.file(join(root, 'docs', 'concepts.md')).text()
  for (const [, heading = ''] of concepts.matchAll(/^## (.+)$/gmu))
    expect(skill).toContain(`\n### ${heading}\n`)
  const links = [...skill.matchAll(/\]\((\/docs\/[\w-]+\.md)/gu)].map(([, path = '']) => path)
  expect(links.length).toBeGreaterThan(0)
  for (const path of new Set(links)) expect((await service.fetch(path)).status).toBe(200)
})

const maxPageBytes = 60_000

test('no page weighs more than a slow line carries in a second or two', async () => {
  const sizeOf = async (path: string): Promise<number> => {
    const { headers } = await service.fetch(path, { headers: { 'Accept-Encoding': 'gzip' } })
    return Number(headers.get('content-length'))
  }
  const parts = await Promise.all(
    ['docs.js', 'theme.js', 'site.css', 'icon.svg'].map((name) => sizeOf(`/docs/${name}`)),
  )
  const shared = parts.reduce((sum, bytes) => sum + bytes, 0)
  for (const path of pages.keys()) {
    if (path === '/') continue
    const bytes = shared + (await sizeOf(path))
    expect({ path, isLight: bytes <= maxPageBytes, bytes: Math.min(bytes, maxPageBytes) }).toEqual({
      path,
      isLight: true,
      bytes,
    })
  }
})
