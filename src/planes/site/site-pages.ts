import { ServiceError } from '../../domain/errors.ts'
import { errorResponse, toServiceError } from '../../http/response/envelopes.ts'
import { commonHeaders } from '../../http/exchange.ts'
import { incomingRequestId } from '../../http/request/request-id.ts'
import { createApiPage } from './api-page.ts'
import { createDocumentationPages } from './documentation-pages.ts'
import { createHomePage } from './home-page.ts'
import type { SiteDependencies, SitePage } from './site-page.ts'

/** What the service shows of itself: the home page, the documentation, the page of the API. */
export interface SitePages {
  /** `undefined` for an address that is none of its; never rejects. */
  fetch(request: Request): Promise<Response | undefined>
}

export function createSitePages(dependencies: SiteDependencies): SitePages {
  const { now, newId, log } = dependencies
  const parts: readonly SitePage[] = [
    createHomePage(dependencies),
    createDocumentationPages(dependencies),
    createApiPage(dependencies),
  ]
  return {
    async fetch(request) {
      const requestId = incomingRequestId(request.headers) ?? newId()
      try {
        const response = await answer(request, parts)
        for (const [name, value] of Object.entries(commonHeaders(requestId)))
          if (response?.headers.has(name) === false) response.headers.set(name, value)
        return response
      } catch (thrown) {
        const error = toServiceError(thrown)
        if (error.code === 'InternalError')
          log.error('a page could not be shown', { error: thrown, requestId })
        const headers = error.code === 'MethodNotAllowed' ? { Allow: 'GET, HEAD' } : {}
        return errorResponse(error, { envelope: 'standard', requestId, at: now(), headers })
      }
    },
  }
}

async function answer(request: Request, parts: readonly SitePage[]): Promise<Response | undefined> {
  const { pathname } = new URL(request.url)
  for (const part of parts) {
    const response = await part(request, pathname)
    if (response === undefined) continue
    if (request.method === 'GET' || request.method === 'HEAD') return response
    throw new ServiceError('MethodNotAllowed', `${request.method} is not possible here`)
  }
  return undefined
}
