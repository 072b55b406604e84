import { expect, test } from 'bun:test'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'

import { git as anyGit, runGit } from '../support/git-client.ts'
import { gitLfs, have } from '../support/needs.ts'
import {
  access,
  type ServiceProcess,
  startService,
  temporaryDirectory,
  testKeys,
} from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const film = (seed: string) => seed.repeat(1_200_000)
const sha256 = (text: string) => new Bun.CryptoHasher('sha256').update(text).digest('hex')
const basic = `Basic ${Buffer.from(`x:${testKeys.ACCESS_KEY}`).toString('base64')}`

interface Host {
  /** As `GIT_REMOTE`. */
  readonly url: string
  readonly repository: string
  /** In place of `ssh`. */
  readonly ssh: string
  /** What it was asked to run. */
  commands(): Promise<readonly string[]>
}

/** A git host behind SSH whose large files are at `lfs`: what would run there runs here. */
async function openHost(root: string, lfs: ServiceProcess): Promise<Host> {
  const repository = join(root, 'mirror.git')
  await runGit(root, 'init', '-q', '--bare', '--initial-branch=main', repository)
  const [ssh, log] = [join(root, 'ssh'), join(root, 'log')]
  const answer = JSON.stringify({
    href: `${lfs.url}/git/info/lfs`,
    header: { Authorization: basic },
    expires_in: 600,
  })
  const lines = [
    '#!/bin/sh',
    'for last; do :; done',
    `echo "$*" >> '${log}'`,
    `case $last in git-lfs-authenticate*) echo '${answer}'; exit;; git-lfs-*) exit 1;; esac`,
    'exec sh -c "$last"',
  ]
  await Bun.write(ssh, `${lines.join('\n')}\n`)
  await chmod(ssh, 0o755)
  const commands = async () => (await Bun.file(log).text()).trim().split('\n')
  return { url: `ssh://git@127.0.0.1:2222${repository}`, repository, ssh, commands }
}

/** How many bytes of an object there are at the LFS API of a service. */
async function sizeAt({ url }: ServiceProcess, oid: string, size: number): Promise<boolean> {
  const response = await fetch(`${url}/git/info/lfs/objects/batch`, {
    method: 'POST',
    headers: { Authorization: basic, 'Content-Type': 'application/vnd.git-lfs+json' },
    body: JSON.stringify({ operation: 'download', objects: [{ oid, size }] }),
  })
  const { objects } = (await response.json()) as { readonly objects: readonly object[] }
  return objects.some((object) => 'actions' in object)
}

async function lacksNothing({ url }: ServiceProcess): Promise<boolean> {
  const response = await fetch(`${url}/api/health?deep=1`)
  const { checks } = (await response.json()) as {
    readonly checks: readonly { readonly name: string; readonly healthy: boolean }[]
  }
  return checks.some(({ name, healthy }) => name === 'mirrored-files' && healthy)
}

if (have('a mirror over SSH with large files', gitLfs))
  test('a mirror over SSH gets large files too, and takes up those that others push there', async () => {
    await using directory = await temporaryDirectory()
    const root = directory.path
    await using lfs = await startService({ dataDirectory: join(root, 'lfs') })
    const host = await openHost(root, lfs)
    const environment = {
      GIT_REMOTE: host.url,
      GIT_REMOTE_IMPORT: 'true',
      GIT_SSH_COMMAND: host.ssh,
      LFS_ABOVE_MB: '1',
    }
    await using service = await startService({ dataDirectory: join(root, 'data'), environment })
    await worldOf(service).zone('acme')
    await worldOf(service).put('acme/v1/titles/ours.mp4', film('a'))
    const oid = sha256(film('a'))
    await until(() => sizeAt(lfs, oid, film('a').length), 'the large file did not get there')
    // They go ahead of the commits that point at them.
    const listing = ['ls-tree', '-r', '--name-only', 'main']
    const atHost = () => runGit(host.repository, ...listing).catch(() => '')
    await until(async () => (await atHost()).includes('ours.mp4'), 'the commit did not get there')
    await until(() => lacksNothing(service))
    const asked = `-p 2222 git@127.0.0.1 git-lfs-authenticate ${host.repository} upload`
    expect(await host.commands()).toContain(asked)

    const git = async (at: string, ...args: readonly string[]) => {
      const done = await anyGit(at, args, { HOME: root, GIT_SSH_COMMAND: host.ssh })
      if (done.exitCode !== 0) throw new Error(`git ${args.join(' ')}: ${done.errors}`)
    }
    await git(root, 'lfs', 'install', '--skip-repo')
    await git(root, 'clone', '-q', host.url, 'work')
    const work = join(root, 'work')
    const titles = join(work, 'clients/acme/v1/titles')
    expect(await Bun.file(join(titles, 'ours.mp4')).text()).toBe(film('a'))
    await git(work, 'lfs', 'track', '*.mov')
    await Bun.write(join(titles, 'theirs.mov'), film('b'))
    await git(work, 'add', '-A')
    await git(work, 'commit', '-q', '-m', 'Theirs')
    await git(work, 'push', '-q', 'origin', 'HEAD:main')
    const stored = `${service.url}/api/storage/acme/v1/titles/theirs.mov`
    await until(async () => {
      const response = await fetch(stored, { headers: access })
      return (await response.text()) === film('b')
    }, 'what others pushed was not taken up')
  }, 120_000)
