import { RemoteUnavailableError } from '../../../../ports/content/remote-repository.ts'
import { gitEnvironment } from '../../objects/git-command.ts'
import { sshCommand, sshVariables } from '../../objects/ssh-command.ts'
import { fieldsOf, type LfsOperation } from './batch-protocol.ts'
import { NoLargeFilesError } from './large-file-host.ts'
import { type LfsEndpoint, lfsUrlOf } from './lfs-endpoint.ts'
import { shellWord, type SshRemote } from './ssh-remote.ts'

const longestMs = 60_000
const loopbackHosts = new Set(['127.0.0.1', 'localhost', '[::1]'])
const mostBytes = 64 * 1024
const keptErrorBytes = 500
/** As ssh ends where it is ssh itself that failed. */
const sshFailed = 255

interface Said {
  readonly exitCode: number
  readonly output: string
  readonly errors: string
}

/**
 * Where a remote that is reached by SSH has its large files, and what opens them: the command
 * `git-lfs-authenticate` of the other side says so, for each operation.
 * https://github.com/git-lfs/git-lfs/blob/main/docs/api/server-discovery.md
 */
export async function authenticateBySsh(
  remote: SshRemote,
  operation: LfsOperation,
  signal: AbortSignal,
): Promise<LfsEndpoint> {
  const command = `git-lfs-authenticate ${shellWord(remote.path)} ${operation}`
  const port = remote.port === undefined ? [] : ['-p', remote.port]
  const said = await run([...port, remote.destination, command], signal)
  if (said.exitCode === sshFailed)
    throw new RemoteUnavailableError(`SSH to the remote failed: ${said.errors}`)
  if (said.exitCode !== 0)
    throw new NoLargeFilesError(
      `git-lfs-authenticate of the remote ended with ${said.exitCode}: ${said.errors}`,
    )
  return endpointOf(said.output, remote)
}

function endpointOf(output: string, { host, path }: SshRemote): LfsEndpoint {
  const answer = parsed(output)
  const { href = lfsUrlOf(`https://${host}/${path.replace(/^\/+/u, '')}`).href } = answer
  const url = typeof href === 'string' ? URL.parse(href.replace(/\/$/u, '')) : null
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    throw new NoLargeFilesError('git-lfs-authenticate of the remote names no URL')
  return { url, headers: fieldsOf(answer['header']), isSecure: !loopbackHosts.has(host) }
}

function parsed(output: string): Readonly<Record<string, unknown>> {
  try {
    const answer: unknown = JSON.parse(output)
    if (typeof answer === 'object' && answer !== null) return { ...answer }
  } catch {
    // It is said below.
  }
  throw new NoLargeFilesError('what git-lfs-authenticate of the remote says is no JSON object')
}

async function run(args: readonly string[], signal: AbortSignal): Promise<Said> {
  const variables = sshVariables.flatMap((name) => {
    const value = process.env[name]
    return value === undefined ? [] : [[name, value] as const]
  })
  const environment: Record<string, string> = {
    ...gitEnvironment(),
    GIT_SSH_COMMAND: sshCommand,
    ...Object.fromEntries(variables),
  }
  const child = Bun.spawn(['sh', '-c', `${environment['GIT_SSH_COMMAND']} "$@"`, 'ssh', ...args], {
    env: environment,
    stdin: 'ignore',
    stdout: 'pipe',
    stderr: 'pipe',
    detached: true,
  })
  const end = () => killGroup(child.pid)
  const timer = setTimeout(end, longestMs)
  signal.addEventListener('abort', end, { once: true })
  if (signal.aborted) end()
  try {
    const [output, errors, exitCode] = await Promise.all([
      boundedText(child.stdout, mostBytes),
      boundedText(child.stderr, mostBytes),
      child.exited,
    ])
    if (child.signalCode !== null)
      throw new RemoteUnavailableError('git-lfs-authenticate of the remote was ended')
    return { exitCode, output, errors: errors.trim().slice(-keptErrorBytes) }
  } finally {
    clearTimeout(timer)
    signal.removeEventListener('abort', end)
  }
}

/** Reads to the end whatever comes, so that nothing is held up, and keeps the first of it. */
async function boundedText(stream: ReadableStream<Uint8Array>, bytes: number): Promise<string> {
  const pieces: Uint8Array[] = []
  let sizeBytes = 0
  for await (const piece of stream) {
    if (sizeBytes < bytes) pieces.push(piece.subarray(0, bytes - sizeBytes))
    sizeBytes += piece.length
  }
  return Buffer.concat(pieces).toString()
}

/** What ssh has started would outlive it. */
function killGroup(pid: number): void {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // It has ended already.
  }
}
