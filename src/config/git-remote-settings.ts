import { flag, optional, secret, setting, wholeNumber } from './setting.ts'

/** Where the repository is mirrored to, and how. */
export const gitRemoteSettings = {
  gitRemote: setting(
    'GIT_REMOTE',
    '',
    'A git repository that the branch `main` is pushed to (`https://host/path.git`, `ssh://git@host/path.git`, `git@host:path.git`, `/path/to/mirror.git`); empty for nowhere. Over SSH, keys are looked for as git and ssh do',
    optional(remoteUrl),
  ),
  gitRemoteToken: secret(
    'GIT_REMOTE_TOKEN',
    'The password for GIT_REMOTE where that is an https URL. The user name is the one in the URL, or `x-access-token`',
  ),
  gitRemoteImport: flag(
    'GIT_REMOTE_IMPORT',
    'Publish commits that others push to GIT_REMOTE. Without it, such commits stop the mirror',
  ),
  gitRemoteMaxBytes: setting(
    'GIT_REMOTE_MAX_BYTES',
    String(4 * 2 ** 30),
    'The most that GIT_REMOTE may send at once; more than that is not taken, and stops the mirror',
    wholeNumber(2 ** 20, 2 ** 44),
  ),
} as const

const schemes = new Set(['https:', 'http:', 'ssh:', 'git:', 'file:'])

function remoteUrl(text: string): string {
  const isPath = text.startsWith('/')
  const isSecureCopyStyle = /^[\w.-]+@[\w.-]+:(?!\/\/)\S+$/u.test(text)
  const url = URL.parse(text)
  const isUrl = url !== null && schemes.has(url.protocol) && url.password === ''
  const isPlain = /^[^\s\u0000-\u001f-][^\u0000-\u001f]*$/u.test(text)
  if (isPlain && (isPath || isSecureCopyStyle || isUrl)) return text
  throw new Error(
    'must be what git pushes to, without a password in it, such as https://git.example.org/assets.git; the password is set in GIT_REMOTE_TOKEN',
  )
}

const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])

/** Whether a password sent there can be read by nobody on the way. */
function isPrivate(address: string): boolean {
  const url = URL.parse(address)
  return (
    url?.protocol === 'https:' || (url?.protocol === 'http:' && loopbackHosts.has(url.hostname))
  )
}

/** One sentence a fault. */
export function gitRemoteFaults(
  environment: Readonly<Record<string, string | undefined>>,
): readonly string[] {
  const given = (name: string) => environment[name]?.trim() ?? ''
  const url = given('GIT_REMOTE')
  if (url === '')
    return ['GIT_REMOTE_TOKEN', 'GIT_REMOTE_IMPORT']
      .filter((name) => !['', 'false'].includes(given(name)))
      .map((name) => `GIT_REMOTE must be set where ${name} is`)
  if (given('GIT_REMOTE_TOKEN') === '' || isPrivate(url)) return []
  return ['GIT_REMOTE must be an https URL where GIT_REMOTE_TOKEN is set']
}
