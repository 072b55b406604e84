import { ServiceError } from '../../domain/errors.ts'
import { preferredMediaType } from '../../http/request/accept.ts'
import { apiVersion } from '../../http/response/envelopes.ts'
import { type StaticFile, staticResponse, staticFile } from '../../http/response/static-file.ts'
import { fillTemplate, pageHeaders, type SiteDependencies, type SitePage } from './site-page.ts'

/** `GET /`: a page for people, and for programs that do not take HTML the same links as JSON. */
export function createHomePage({
  file,
  version,
}: Pick<SiteDependencies, 'file' | 'version'>): SitePage {
  let page: Promise<StaticFile> | undefined
  const makePage = async () => {
    const { bytes, contentType } = await file('home.html')
    const template = new TextDecoder().decode(bytes)
    return staticFile(fillTemplate(template, { version, apiVersion }), contentType)
  }
  const description = staticFile(JSON.stringify(describeService(version)), 'application/json')
  return async (request, path) => {
    if (path !== '/') return undefined
    const type = preferredMediaType(request.headers.get('accept'), offered)
    if (type === undefined)
      throw new ServiceError('NotAcceptable', `Accept must allow one of ${offered.join(', ')}`)
    const chosen = type === 'text/html' ? await (page ??= makePage()) : description
    const response = await staticResponse(request, chosen, pageHeaders)
    response.headers.set('Vary', 'Accept, Accept-Encoding')
    return response
  }
}

const offered = ['text/html', 'application/json'] as const

const describeService = (version: string) => ({
  name: 'Sedge',
  version,
  apiVersion,
  links: {
    dashboard: '/dashboard/',
    documentation: '/docs/',
    api: '/api/docs',
    openapi: '/api/openapi.json',
    health: '/api/health',
  },
})
