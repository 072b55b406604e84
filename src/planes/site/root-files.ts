import { cacheLifetimes } from '../../http/response/cache-lifetimes.ts'
import { type StaticFile, staticResponse, staticFile } from '../../http/response/static-file.ts'
import { pageHeaders } from './site-page.ts'

/** What is made of assets may be found; what is for programs and operators is of no use to a search. */
const robots = `User-agent: *
Allow: /api/transform
Allow: /api/auto
Allow: /api/stream
Disallow: /api/
Disallow: /dashboard/
`

/** What browsers and search engines ask every host for: `undefined` for any other address. */
export type RootFile = (request: Request) => Promise<Response> | undefined

export function createRootFiles(file: (name: string) => Promise<StaticFile>): RootFile {
  const made: Readonly<Record<string, () => Promise<StaticFile>>> = {
    '/robots.txt': () => Promise.resolve(staticFile(robots, 'text/plain; charset=utf-8')),
    '/favicon.ico': () => file('icon.svg'),
  }
  return (request) => {
    const { pathname } = new URL(request.url)
    const make = Object.hasOwn(made, pathname) ? made[pathname] : undefined
    return make?.().then((found) => staticResponse(request, found, headers))
  }
}

const headers = { ...pageHeaders, 'Cache-Control': cacheLifetimes.rootFile }
