import { setPriority } from 'node:os'

import type { Secret } from '../../../lib/secrets/secret.ts'
import { RemoteUnavailableError } from '../../../ports/content/remote-repository.ts'
import { gitCommand, gitEnvironment } from '../objects/git-command.ts'
import { sshCommand, sshVariables } from '../objects/ssh-command.ts'

export interface RemoteLimits {
  /** A process that has said nothing for so long, not even how far it is, hangs. */
  readonly silentMs: number
  readonly longestMs: number
  /** No file that git writes becomes larger, and so no pack that a remote sends. */
  readonly maxFileBytes: number
}

export interface RemoteCommandOptions {
  readonly directory: string
  readonly url: string
  /** The password for it, where it is reached by https. */
  readonly token: Secret | undefined
  readonly limits: RemoteLimits
}

/** What is left of the environment for the ways to a remote: keys, agents, proxies, authorities. */
const passedOn = [
  ...sshVariables,
  'GIT_SSL_CAINFO',
  'SSL_CERT_FILE',
  'http_proxy',
  'https_proxy',
  'all_proxy',
  'no_proxy',
]
const lowestPriority = 19
const keptErrorBytes = 2000
const mercyMs = 1_000
const defaultUserName = 'x-access-token'

/** The secret is in the environment of git alone, never on a command line. */
const credentialHelper =
  '!f() { test "$1" = get && printf \'username=%s\\npassword=%s\\n\' "$SEDGE_REMOTE_USER" "$SEDGE_REMOTE_TOKEN"; }; f'

/** Runs git processes that speak with a remote, each in a group of its own that can be ended as one. */
export class RemoteCommand {
  readonly #options: RemoteCommandOptions
  readonly #environment: Readonly<Record<string, string>>
  #watch: Watch | undefined
  #isClosed = false

  constructor(options: RemoteCommandOptions) {
    this.#options = options
    this.#environment = environmentFor(options)
  }

  /** Rejects where the process had to be ended; an exit code is a result. */
  async run(
    args: readonly string[],
  ): Promise<{ exitCode: number; output: string; errors: string }> {
    if (this.#isClosed) throw new RemoteUnavailableError('The service ends')
    const { directory, limits } = this.#options
    const child = Bun.spawn(withFileLimit(gitCommand(directory, args), limits), {
      env: this.#environment,
      stdin: 'ignore',
      stdout: 'pipe',
      stderr: 'pipe',
      detached: true,
    })
    lower(child.pid)
    const watch = watchOver(child, limits)
    this.#watch = watch
    try {
      const [output, errors, exitCode] = await Promise.all([
        endOf(child.stdout, () => watch.spoke()),
        endOf(child.stderr, () => watch.spoke()),
        child.exited,
      ])
      if (watch.why !== undefined) throw new RemoteUnavailableError(`git ${args[0]} ${watch.why}`)
      return { exitCode, output, errors: this.#withoutSecret(errors) }
    } finally {
      watch[Symbol.dispose]()
      this.#watch = undefined
    }
  }

  /** Ends what is running; nothing more is taken. */
  [Symbol.dispose](): void {
    this.#isClosed = true
    this.#watch?.end('was ended with the service')
  }

  #withoutSecret(text: string): string {
    const { token } = this.#options
    const shown = token === undefined ? text : text.replaceAll(token.reveal(), '***')
    return shown.slice(-keptErrorBytes).trim()
  }
}

/**
 * POSIX counts in blocks of 512 bytes. git has no bound of its own for what it fetches; with the signal
 * ignored it says what is wrong instead of dying of it.
 */
const withFileLimit = (command: readonly string[], { maxFileBytes }: RemoteLimits): string[] => [
  'sh',
  '-c',
  `trap '' XFSZ && ulimit -f "$0" && exec "$@"`,
  String(Math.ceil(maxFileBytes / 512)),
  ...command,
]

/**
 * Objects that come are checked, so that none is here that git cannot read. What a name in a tree may
 * do to a clone is left to be told path by path, and what old programs wrote to be taken.
 */
const toleratedFaults = [
  'badDateOverflow',
  'badEmail',
  'badName',
  'badTimezone',
  'duplicateEntries',
  'emptyName',
  'fullPathname',
  'gitmodulesBlob',
  'gitmodulesLarge',
  'gitmodulesName',
  'gitmodulesParse',
  'gitmodulesPath',
  'gitmodulesSymlink',
  'gitmodulesUpdate',
  'gitmodulesUrl',
  'hasDot',
  'hasDotdot',
  'hasDotgit',
  'missingEmail',
  'missingNameBeforeEmail',
  'missingSpaceBeforeDate',
  'missingSpaceBeforeEmail',
  'zeroPaddedDate',
  'zeroPaddedFilemode',
]

/** Settings by environment: the configuration of the machine and of the user has no say. */
function environmentFor({ url, token }: RemoteCommandOptions): Record<string, string> {
  const given = passedOn.flatMap((name) => {
    const value = process.env[name] ?? process.env[name.toUpperCase()]
    return value === undefined ? [] : [[name, value] as const]
  })
  const settings: [string, string][] = [
    ['fetch.unpacklimit', '1'],
    ['fetch.fsckobjects', 'true'],
    ...toleratedFaults.map((fault): [string, string] => [`fetch.fsck.${fault}`, 'ignore']),
    ['http.lowspeedlimit', '1'],
    ['http.lowspeedtime', '120'],
    ['safe.directory', '*'],
  ]
  const secrets: Record<string, string> = {}
  const origin = token === undefined ? undefined : URL.parse(url)
  if (token !== undefined && origin) {
    // For this host alone: one that it redirects to is not told.
    settings.push([`credential.${origin.origin}.helper`, credentialHelper])
    secrets['SEDGE_REMOTE_USER'] = decodeURIComponent(origin.username) || defaultUserName
    secrets['SEDGE_REMOTE_TOKEN'] = token.reveal()
  }
  return {
    ...gitEnvironment(),
    GIT_SSH_COMMAND: sshCommand,
    GIT_ALLOW_PROTOCOL: 'file:git:http:https:ssh',
    ...Object.fromEntries(given),
    ...secrets,
    GIT_CONFIG_COUNT: String(settings.length),
    ...Object.fromEntries(
      settings.flatMap(([key, value], index) => [
        [`GIT_CONFIG_KEY_${index}`, key],
        [`GIT_CONFIG_VALUE_${index}`, value],
      ]),
    ),
  }
}

interface Watch extends Disposable {
  /** Why the process had to be ended. */
  readonly why: string | undefined
  spoke(): void
  end(why: string): void
}

function watchOver(child: Bun.Subprocess, { silentMs, longestMs }: RemoteLimits): Watch {
  let why: string | undefined
  let force: Timer | undefined
  /** First so that git takes its unfinished files away, then for good. */
  const end = (reason: string) => {
    why ??= reason
    killGroup(child, 'SIGTERM')
    force ??= setTimeout(() => killGroup(child, 'SIGKILL'), mercyMs)
  }
  const silent = setTimeout(
    () => end(`has said nothing for ${silentMs / 1000} seconds and was ended`),
    silentMs,
  )
  const longest = setTimeout(
    () => end(`took over ${longestMs / 1000} seconds and was ended`),
    longestMs,
  )
  return {
    get why() {
      return why
    },
    spoke: () => void silent.refresh(),
    end,
    [Symbol.dispose]() {
      for (const timer of [silent, longest, force]) clearTimeout(timer)
    },
  }
}

/** Reads to the end whatever comes, so that nothing is held up, and keeps the last of it. */
async function endOf(stream: ReadableStream<Uint8Array>, onPiece: () => void): Promise<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const piece of stream) {
    onPiece()
    text = (text + decoder.decode(piece, { stream: true })).slice(-2 * keptErrorBytes)
  }
  return text
}

/** The helpers that speak with the remote are children of git and would outlive it. */
function killGroup({ pid }: { readonly pid: number }, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid, signal)
  } catch {
    // It has ended already.
  }
}

function lower(processId: number): void {
  try {
    setPriority(processId, lowestPriority)
  } catch {
    // It has ended already.
  }
}
