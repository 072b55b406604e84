/** A remote that git reaches by SSH. */
export interface SshRemote {
  /** As SSH is told: `host` or `user@host`. */
  readonly destination: string
  readonly host: string
  readonly port: string | undefined
  /** As git tells it the other side. */
  readonly path: string
}

const secureCopyStyle = /^(?<destination>(?:[\w.-]+@)?(?<host>[\w.-]+)):(?!\/\/)(?<path>\S+)$/u

/** From `ssh://git@host:22/path.git` or `git@host:path.git`; `undefined` of any other. */
export function parseSshRemote(url: string): SshRemote | undefined {
  const remote = url.startsWith('ssh://') ? ofUrl(url) : ofSecureCopyStyle(url)
  // What begins like an option would be one.
  return remote?.destination.startsWith('-') === true || remote?.host.startsWith('-') === true
    ? undefined
    : remote
}

function ofUrl(text: string): SshRemote | undefined {
  const url = URL.parse(text)
  if (url === null || url.hostname === '') return undefined
  const host = url.hostname.replace(/^\[(.*)\]$/u, '$1')
  const user = decodeURIComponent(url.username)
  return {
    destination: user === '' ? host : `${user}@${host}`,
    host: url.hostname,
    port: url.port === '' ? undefined : url.port,
    path: decodeURIComponent(url.pathname).replace(/^\/(?=~)/u, ''),
  }
}

function ofSecureCopyStyle(text: string): SshRemote | undefined {
  const { destination, host, path } = secureCopyStyle.exec(text)?.groups ?? {}
  if (destination === undefined || host === undefined || path === undefined) return undefined
  return { destination, host, port: undefined, path }
}

/** One word for the shell of the other side. */
export const shellWord = (text: string): string =>
  /^[\w@%+=:,./~-]+$/u.test(text) ? text : `'${text.replaceAll("'", "'\\''")}'`
