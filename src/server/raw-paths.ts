import { isBelow } from './routes.ts'

type Handle = (
  request: Request,
  listener: Bun.Server<undefined>,
  /** As Bun made it, where `request` was made of it. */
  sent?: Request,
) => Response | Promise<Response>

/** Bun's own, by pattern: more specific patterns come first, whatever their order here. */
export type Routes = Readonly<Record<string, Handle>>

type Matched = Bun.BunRequest

/**
 * Bun resolves `.` and `..` and turns `\` into `/` before it tells a URL, but matches its routes
 * with the path as it was sent. These routes match what must be refused, and cost other requests a
 * look into a tree of names. `handle` gets a path that cannot be read, which every part refuses.
 *
 * Not seen, and resolved as before: a dot segment below more segments than are looked at, and below one
 * without any letter (`//..`) outside of storage.
 */
export function rawPathRoutes(handle: Handle): Routes {
  const refuse: Handle = (request, listener) => handle(unreadable(request), listener, request)
  const routes: Record<string, Handle> = storageRoutes(handle, refuse)
  for (const parents of parameterPaths(maxDots))
    for (const segment of dotSegments) {
      routes[`${parents}/${segment}`] = refuse
      routes[`${parents}/${segment}/*`] = refuse
    }
  return routes
}

/** How many segments may be before a dot segment so that it is seen. */
const maxDots = 20
const maxStorageSegments = 40

const dots = ['.', '%2e', '%2E']
const dotSegments = [...dots, ...dots.flatMap((first) => dots.map((second) => first + second))]

/** `''`, `/:a1`, `/:a1/:a2`, … */
const parameterPaths = (count: number): readonly string[] =>
  Array.from({ length: count }, (_, depth) =>
    Array.from({ length: depth }, (__, index) => `/:a${index + 1}`).join(''),
  )

const storage = '/api/storage'

/** What is written is looked at whole, for a file stored at another path than was named does harm. */
function storageRoutes(handle: Handle, refuse: Handle): Record<string, Handle> {
  const routes: Record<string, Handle> = {}
  const checkEach: Handle = (request, listener) => {
    const { params } = request as Matched
    return (Object.values(params).some(isResolved) ? refuse : handle)(request, listener)
  }
  for (const path of parameterPaths(maxStorageSegments + 1).slice(1)) {
    routes[storage + path] = checkEach
    routes[`${storage}${path}/`] = checkEach
  }
  routes[`${storage}/*`] = (request, listener) =>
    (hasLostSegments(request.url) ? refuse : handle)(request, listener)
  return routes
}

const isResolved = (segment: unknown): boolean =>
  typeof segment === 'string' && (segment === '.' || segment === '..' || segment.includes('\\'))

/** Whether a URL that came past the other routes should not have: it had an empty segment then. */
function hasLostSegments(url: string): boolean {
  if (!isBelow(url, storage)) return true
  const [path = ''] = url.slice(url.indexOf(storage) + storage.length + 1).split('?')
  const hasEmpty = path.startsWith('/') || path.includes('//')
  return path !== '' && !hasEmpty && path.split('/').length <= maxStorageSegments
}

/** `..%FF` is no name, and stays in a URL. One whose Host cannot be read is refused for that. */
function unreadable(request: Request): Request {
  const url = URL.parse(request.url, 'http://localhost')
  if (url === null) return request
  return new Request(`${url.origin}/..%FF${url.pathname}${url.search}`, request)
}
