import { afterAll, beforeAll, expect, test } from 'bun:test'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { until } from '../../../../../test/support/until.ts'
import { RemoteUnavailableError } from '../../../../ports/content/remote-repository.ts'
import { NoLargeFilesError } from './large-file-host.ts'
import { allowedAction } from './lfs-endpoint.ts'
import { authenticateBySsh } from './ssh-authentication.ts'
import { parseSshRemote, shellWord } from './ssh-remote.ts'

const formerly = process.env['GIT_SSH_COMMAND']
let directory: string

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sedge-ssh-'))
})
afterAll(async () => {
  if (formerly === undefined) delete process.env['GIT_SSH_COMMAND']
  else process.env['GIT_SSH_COMMAND'] = formerly
  await rm(directory, { recursive: true })
})

const remote = {
  destination: 'git@a.example',
  host: 'a.example',
  port: '22',
  path: '/acme/as s.git',
}
const never = new AbortController().signal

/** What comes of a connection in whose place a script stands. */
async function authenticate(script: string, signal = never, to = remote): Promise<unknown> {
  const file = join(directory, 'ssh')
  await Bun.write(file, `#!/bin/sh\n${script}\n`)
  await chmod(file, 0o755)
  process.env['GIT_SSH_COMMAND'] = `${file} -v`
  return await authenticateBySsh(to, 'upload', signal).catch((error: unknown) => error)
}

const saying = (answer: object) => `cat <<'END'\n${JSON.stringify(answer)}\nEND`

test('the other side is asked as git asks it, and says where its files are and what opens them', async () => {
  const asked = join(directory, 'asked')
  const header = { Authorization: 'RemoteAuth secret', Host: 'evil', 'X-A': 7 }
  const script = `printf '%s\\n' "$@" > ${asked}\n${saying({ href: 'https://b.example/lfs/', header })}`

  expect(await authenticate(script)).toEqual({
    url: new URL('https://b.example/lfs'),
    headers: { Authorization: 'RemoteAuth secret' },
    isSecure: true,
  })
  const command = "git-lfs-authenticate '/acme/as s.git' upload"
  expect(await Bun.file(asked).text()).toBe(`-v\n-p\n22\ngit@a.example\n${command}\n`)
})

test('where it names no URL, it is where git-lfs would look', async () => {
  const endpoint = await authenticate(saying({}), never, { ...remote, path: 'acme/assets' })
  expect(endpoint).toEqual({
    url: new URL('https://a.example/acme/assets.git/info/lfs'),
    headers: {},
    isSecure: true,
  })
})

test('a remote that has no such command is told from one that is out of reach', async () => {
  const refused = await authenticate('echo "no such repository" >&2; exit 1')
  expect(refused).toBeInstanceOf(NoLargeFilesError)
  expect(String(refused)).toContain('no such repository')
  expect(await authenticate('exit 127')).toBeInstanceOf(NoLargeFilesError)
  const unreachable = await authenticate('echo "Connection refused" >&2; exit 255')
  expect(unreachable).toBeInstanceOf(RemoteUnavailableError)
  expect(String(unreachable)).toContain('Connection refused')
})

test('whatever it says costs little and leads nowhere odd', async () => {
  for (const script of [
    'echo',
    'echo 7',
    'echo "<html>"',
    'head -c 5000000 /dev/zero',
    saying({ href: 'file:///etc/passwd' }),
    saying({ href: 'nowhere' }),
  ])
    expect(await authenticate(script)).toBeInstanceOf(NoLargeFilesError)
})

test('it is ended with the service, and what it has started too', async () => {
  const started = join(directory, 'started')
  const closing = new AbortController()
  const asked = authenticate(`sleep 60 &\necho $! > ${started}\nwait`, closing.signal)
  let pid = 0
  while (!(pid > 0)) {
    pid = Number(
      await Bun.file(started)
        .text()
        .catch(() => ''),
    )
    await Bun.sleep(5)
  }
  closing.abort()

  expect(await asked).toBeInstanceOf(RemoteUnavailableError)
  // Killed is not yet gone: the kernel takes a moment for it.
  const state = () =>
    Bun.file(`/proc/${pid}/stat`)
      .text()
      .catch(() => ') Z ')
  await until(async () => /\) [ZX] /u.test(await state()), 'what it has started is still there')
})

test('what SSH kept safe is not sent by plain http, but on this machine', () => {
  const url = new URL('http://b.example/put')
  const endpoint = { url: new URL('https://b.example/lfs'), headers: { A: 'b' }, isSecure: true }
  expect(() => allowedAction(endpoint, { url, headers: {} }, false)).toThrow('plain http')
  const here = { ...endpoint, url: new URL('http://b.example/lfs'), isSecure: false }
  expect(allowedAction(here, { url, headers: {} }, false).headers).toEqual({ A: 'b' })
  expect(allowedAction(here, { url, headers: {} }, true).headers).toEqual({})
})

test('remotes are read as git reads them', () => {
  const read = (url: string) => {
    const { destination, port, path } = parseSshRemote(url) ?? {}
    return [destination, port, path]
  }
  expect(read('ssh://git@a.example:2222/acme/as%20s.git')).toEqual([
    'git@a.example',
    '2222',
    '/acme/as s.git',
  ])
  expect(read('ssh://a.example/~ada/x.git')).toEqual(['a.example', undefined, '~ada/x.git'])
  expect(read('ssh://git@[::1]:22/x.git')).toEqual(['git@::1', '22', '/x.git'])
  expect(read('git@a.example:acme/x.git')).toEqual(['git@a.example', undefined, 'acme/x.git'])
  for (const url of [
    'git://a.example/x.git',
    'ssh://-oProxyCommand=x/y',
    'ssh://-o@a.example/y',
    'git@-a:x',
    './x:y/z',
  ])
    expect(parseSshRemote(url)).toBeUndefined()
})

test('a word is a word to the shell of the other side, whatever is in it', async () => {
  for (const word of ['/acme/x.git', "it's", '$(id) `id` "x"', '', 'a\nb']) {
    const child = Bun.spawn(['sh', '-c', `printf %s ${shellWord(word)}`], { stdout: 'pipe' })
    expect(await new Response(child.stdout).text()).toBe(word)
  }
})
