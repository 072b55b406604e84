import { chmod, copyFile, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { run } from '../run.ts'
import { debianPackages, packageFile } from './debian-packages.ts'

/** `/bin` and the like lead below `/usr`, as everywhere since Debian 12. */
const merged = ['bin', 'lib', 'lib64', 'sbin']
/** What nobody reads in a container; licences (`copyright`) stay. */
const unread = [
  'usr/share/bash-completion',
  'usr/share/bug',
  'usr/share/doc-base',
  'usr/share/info',
  'usr/share/lintian',
  'usr/share/locale',
  'usr/share/man',
  'usr/share/base-files',
  'var/lib/dpkg',
  // With the right to become another user.
  'usr/lib/openssh/ssh-keysign',
  // They are linked to what is left out.
  'usr/bin/sftp',
]
/** What the service calls, what Kubernetes is told to, and what one looks around with. */
const applets = ['sh', 'cat', 'env', 'id', 'ls', 'nice', 'ps', 'sleep', 'vi', 'wget']
const accounts = {
  passwd: ['root:x:0:0:root:/:/bin/sh', 'sedge:x:1000:1000:sedge:/data:/bin/sh'],
  group: ['root:x:0:', 'sedge:x:1000:'],
  'nsswitch.conf': ['passwd: files', 'group: files', 'hosts: files dns'],
}

/** Debian as far as the service needs it, in a directory that is there and empty. */
export async function makeRootFileSystem(directory: string): Promise<void> {
  const at = (...path: readonly string[]): string => join(directory, ...path)
  for (const name of merged) {
    await mkdir(at('usr', name), { recursive: true })
    await symlink(`usr/${name}`, at(name))
  }
  for (const each of debianPackages) await unpack(await packageFile(each), directory, each.name)
  for (const path of unread) await rm(at(path), { recursive: true, force: true })
  await forgetDocumentation(at('usr/share/doc'))
  for (const applet of applets) {
    await rm(at('usr/bin', applet), { force: true })
    await symlink('busybox', at('usr/bin', applet))
  }
  await Bun.write(at('etc/ssl/certs/ca-certificates.crt'), await authorities(directory))
  for (const [name, lines] of Object.entries(accounts))
    await Bun.write(at('etc', name), `${lines.join('\n')}\n`)
  await mkdir(at('tmp'), { recursive: true })
  await chmod(at('tmp'), 0o1777)
  await moveControlFiles(directory)
}

/** Who may have put it there is no matter: owners are root's once it is an archive. */
async function unpack(file: string, directory: string, name: string): Promise<void> {
  const script =
    'dpkg-deb --fsys-tarfile "$1" | tar -x --keep-directory-symlink --no-same-owner -C "$2"'
  await run(['bash', '-o', 'pipefail', '-c', `umask 022; ${script}`, 'bash', file, directory])
  const control = await run(['dpkg-deb', '--field', file])
  await Bun.write(join(directory, 'control-files', name), control)
}

/** What scanners for vulnerabilities look for in images without dpkg. */
async function moveControlFiles(directory: string): Promise<void> {
  const to = join(directory, 'var/lib/dpkg/status.d')
  await mkdir(to, { recursive: true })
  for (const name of await readdir(join(directory, 'control-files')))
    await copyFile(join(directory, 'control-files', name), join(to, name))
  await rm(join(directory, 'control-files'), { recursive: true })
}

async function forgetDocumentation(directory: string): Promise<void> {
  for await (const path of new Bun.Glob('**').scan({ cwd: directory, dot: true, onlyFiles: true }))
    if (!path.endsWith('/copyright')) await rm(join(directory, path))
}

/** All that Mozilla trusts, in one file, as `update-ca-certificates` puts them together. */
async function authorities(directory: string): Promise<string> {
  const from = join(directory, 'usr/share/ca-certificates')
  const names = [...new Bun.Glob('**/*.crt').scanSync(from)].toSorted()
  const texts = await Promise.all(
    names.map(async (name) => await Bun.file(join(from, name)).text()),
  )
  await mkdir(dirname(join(directory, 'etc/ssl/certs/x')), { recursive: true })
  return texts.map((text) => (text.endsWith('\n') ? text : `${text}\n`)).join('')
}
