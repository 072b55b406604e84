import { preferredMediaType } from '../../http/request/accept.ts'
import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import { type StaticFile, staticResponse, staticFile } from '../../http/response/static-file.ts'
import { tidyQuestion } from '../../domain/search/words/words.ts'
import { createDocumentation, type Page } from './documentation.ts'
import { foundPage } from './found-page.ts'
import { listForPrograms } from './list-for-programs.ts'
import { currentNameOf } from './navigation.ts'
import { skillForAssistants, skillPath } from './skill-for-assistants.ts'
import { fillTemplate, pageHeaders, type SiteDependencies, type SitePage } from './site-page.ts'

interface Part {
  readonly file: string
  /** Whether browsers need not ask again for a week. */
  readonly isLasting?: boolean
}

const partByPath: Readonly<Record<string, Part>> = {
  '/docs/site.css': { file: 'site.css' },
  '/docs/icon.svg': { file: 'icon.svg' },
  '/docs/home.js': { file: 'home.js' },
  '/docs/docs.js': { file: 'docs.js' },
  '/docs/theme.js': { file: 'theme.js' },
  '/docs/fonts/latin.woff2': { file: 'latin.woff2', isLasting: true },
  '/docs/fonts/latin-ext.woff2': { file: 'latin-ext.woff2', isLasting: true },
}

/** All that is made of the Markdown, by path. */
interface Made {
  readonly template: string
  readonly contents: string
  readonly pages: ReadonlyMap<string, StaticFile>
  readonly markdown: ReadonlyMap<string, StaticFile>
}

type Dependencies = Pick<
  SiteDependencies,
  'file' | 'readDocuments' | 'readDiagrams' | 'documentation' | 'version'
>

const listPath = '/llms.txt'
const foundPages = 20

/**
 * `GET /docs/…`: the files of `docs/` as pages, made together when the first is asked for, and as the Markdown
 * that they are: under their URL with `.md`, and where `Accept` likes it better. A zone may be
 * called `docs`: what is no page is somebody else's.
 */
export function createDocumentationPages(dependencies: Dependencies): SitePage {
  const { file, documentation, version } = dependencies
  let making: Promise<Made> | undefined
  const made = () => (making ??= makePages(dependencies))

  async function results(request: Request, question: string): Promise<Response> {
    const { template, contents } = await made()
    const { pages } = await documentation.find(question, { limit: foundPages, byWordsAlone: true })
    const page = foundPage(question, pages, contents)
    return await staticResponse(request, pageOf(page, { template, version, question }), pageHeaders)
  }

  return async (request, path) => {
    if (path === '/docs') return redirect('/docs/')
    if (path !== listPath && !path.startsWith('/docs/')) return undefined
    const renamed = currentNameOf(path.slice('/docs/'.length))
    if (renamed !== undefined) return redirect(`/docs/${renamed}`)
    const part = Object.hasOwn(partByPath, path) ? partByPath[path] : undefined
    if (part !== undefined)
      return staticResponse(request, await file(part.file), {
        ...pageHeaders,
        ...(part.isLasting === true && { 'Cache-Control': cacheLifetimes.pagePart }),
      })
    const question = path === '/docs/' ? questionOf(request.url) : ''
    return question === ''
      ? documentResponse(request, path, await made())
      : results(request, question)
  }
}

const questionOf = (url: string): string => tidyQuestion(new URL(url).searchParams.get('q') ?? '')

/** A page or its Markdown, as its path and `Accept` say. */
async function documentResponse(
  request: Request,
  path: string,
  { pages, markdown }: Made,
): Promise<Response | undefined> {
  const text = markdown.get(path)
  if (text !== undefined) return staticResponse(request, text, pageHeaders)
  const page = pages.get(path)
  if (page === undefined) return undefined
  const source = markdown.get(path === '/docs/' ? listPath : `${path}.md`)
  const offered = ['text/html', 'text/markdown'] as const
  const isText = preferredMediaType(request.headers.get('accept'), offered) === 'text/markdown'
  const response = await staticResponse(request, (isText && source) || page, pageHeaders)
  response.headers.set('Vary', 'Accept, Accept-Encoding')
  return response
}

async function makePages({ file, version, ...sources }: Dependencies): Promise<Made> {
  const template = new TextDecoder().decode((await file('page.html')).bytes)
  const texts = await sources.readDocuments()
  const documentation = createDocumentation({ texts, diagrams: await sources.readDiagrams() })
  return {
    template,
    contents: documentation.get('/docs/')?.contents ?? '',
    pages: new Map(
      [...documentation].map(([path, page]) => [path, pageOf(page, { template, version })]),
    ),
    markdown: new Map(
      [
        [listPath, listForPrograms(documentation)] as const,
        [skillPath, skillForAssistants({ documentation, texts })] as const,
        ...[...texts].map(([name, text]) => [`/docs/${name}.md`, text] as const),
      ].map(([path, text]) => [path, staticFile(text, 'text/markdown; charset=utf-8')]),
    ),
  }
}

interface Framing {
  readonly template: string
  readonly version: string
  /** What stands in the search box. */
  readonly question?: string
}

function pageOf(page: Page, { template, version, question = '' }: Framing): StaticFile {
  const { title, description, body, contents, neighbours } = page
  const html = fillTemplate(template, {
    title: Bun.escapeHTML(title),
    description: Bun.escapeHTML(description),
    question: Bun.escapeHTML(question),
    body,
    contents,
    neighbours,
    version,
  })
  return staticFile(html, 'text/html; charset=utf-8')
}

const redirect = (location: string): Response =>
  new Response(null, { status: 308, headers: { Location: location } })
