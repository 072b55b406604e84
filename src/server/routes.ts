/** Whether the URL is below `path`, without parsing it: every delivered asset passes here. */
export function isBelow(url: string, path: string): boolean {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (!url.startsWith(path, start)) return false
  const next = url[start + path.length]
  return next === undefined || next === '/' || next === '?'
}

/** Whether the URL is `path` and nothing below it. */
function isAt(url: string, path: string): boolean {
  const start = url.indexOf('/', url.indexOf('://') + 3)
  if (!url.startsWith(path, start)) return false
  const next = url[start + path.length]
  return next === undefined || next === '?'
}

/** Whether the URL is that of the home page. */
export const isHome = (url: string): boolean => isAt(url, '/')

/** What programs that read look for on every host (llmstxt.org). */
export const isListForPrograms = (url: string): boolean => isAt(url, '/llms.txt')

/** Answers to the challenges of an ACME server, which neither rules nor keys nor redirects may touch. */
export const isChallenge = (url: string): boolean => isBelow(url, '/.well-known/acme-challenge')

const lfsPaths = ['/git/info/lfs', '/git.git/info/lfs']
const clonePaths = ['/git/info/refs', '/git/git-upload-pack', '/git/git-receive-pack']

/**
 * Where git reads the repository over HTTP. Not operations, and not in the OpenAPI document: nothing but
 * git speaks its protocol. A zone may be called `git`; its assets are at `/git/v1/`.
 */
export const isOfClones = (url: string): boolean =>
  isBelowGit(url) &&
  (clonePaths.some((path) => isAt(url, path)) || zoneClonePattern.test(pathOf(url)) || isOfLfs(url))

/** Where `git lfs` finds large files: it adds `.git` to the URL of the repository, unless it is told not to. */
export const isOfLfs = (url: string): boolean =>
  lfsPaths.some((path) => isBelow(url, path)) || zoneLfsPattern.test(pathOf(url))

/** The repository of a zone. No asset has a URL below it: what follows the name of a zone there is `v1/`. */
const zoneClonePattern =
  /^\/git\/[a-z0-9-]{2,64}\.git\/(?:info\/refs|git-upload-pack|git-receive-pack)(?:\?|$)/u
const zoneLfsPattern = /^\/git\/[a-z0-9-]{2,64}\.git\/info\/lfs(?:[/?]|$)/u

const pathOf = (url: string): string => url.slice(url.indexOf('/', url.indexOf('://') + 3))

const isBelowGit = (url: string): boolean =>
  url.startsWith('/git', url.indexOf('/', url.indexOf('://') + 3))

/** Where agents are served (MCP), and what says how to sign in there (RFC 9728). A zone may be called `mcp`. */
export const isOfMcp = (url: string): boolean =>
  isAt(url, '/mcp') ||
  isAt(url, '/.well-known/oauth-protected-resource') ||
  isAt(url, '/.well-known/oauth-protected-resource/mcp')

/** Images by the IIIF Image API 3.0. A zone may be called `iiif`; its assets are at `/iiif/v1/`. */
export const isOfIiif = (url: string): boolean => isBelow(url, '/iiif/3')

/** Whether nothing but the edge can have anything to do with the URL. */
export const isDelivered = (url: string): boolean =>
  !isBelow(url, '/api') &&
  !isOfIiif(url) &&
  !isBelow(url, '/watch') &&
  !isBelow(url, '/dashboard') &&
  !isBelow(url, '/docs') &&
  !isListForPrograms(url) &&
  !isHome(url) &&
  !isOfClones(url) &&
  !isOfMcp(url) &&
  !isChallenge(url)
