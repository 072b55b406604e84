import { type StaticFile, staticResponse, staticFile } from '../../http/response/static-file.ts'
import { createDocumentation, type Page } from './documentation.ts'
import { currentNameOf } from './navigation.ts'
import { fillTemplate, pageHeaders, type SiteDependencies, type SitePage } from './site-page.ts'

const partByPath: Readonly<Record<string, string>> = {
  '/docs/site.css': 'site.css',
  '/docs/icon.svg': 'icon.svg',
  '/docs/home.js': 'home.js',
}

/**
 * `GET /docs/…`: the files of `docs/` as pages, made together when the first is asked for. A zone may be
 * called `docs`: what is no page is somebody else's.
 */
export function createDocumentationPages({
  file,
  readDocuments,
  version,
}: Pick<SiteDependencies, 'file' | 'readDocuments' | 'version'>): SitePage {
  let pages: Promise<ReadonlyMap<string, StaticFile>> | undefined
  const makePages = async () => {
    const template = new TextDecoder().decode((await file('page.html')).bytes)
    const documentation = createDocumentation(await readDocuments())
    return new Map(
      [...documentation].map(([path, page]) => [path, pageOf(page, template, version)]),
    )
  }
  return async (request, path) => {
    if (path === '/docs') return redirect('/docs/')
    if (!path.startsWith('/docs/')) return undefined
    const renamed = currentNameOf(path.slice('/docs/'.length))
    if (renamed !== undefined) return redirect(`/docs/${renamed}`)
    const part = Object.hasOwn(partByPath, path) ? partByPath[path] : undefined
    const found = part === undefined ? (await (pages ??= makePages())).get(path) : await file(part)
    return found && staticResponse(request, found, pageHeaders)
  }
}

function pageOf(page: Page, template: string, version: string): StaticFile {
  const { title, description, body, contents, neighbours } = page
  const html = fillTemplate(template, {
    title: Bun.escapeHTML(title),
    description: Bun.escapeHTML(description),
    body,
    contents,
    neighbours,
    version,
  })
  return staticFile(html, 'text/html; charset=utf-8')
}

const redirect = (location: string): Response =>
  new Response(null, { status: 308, headers: { Location: location } })
