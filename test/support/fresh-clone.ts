import { mkdir, readFile, symlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { expect } from 'bun:test'

const root = join(import.meta.dir, '..', '..')

export async function git(...words: readonly string[]): Promise<string> {
  const child = Bun.spawn(['git', ...words], { stdout: 'pipe', stderr: 'inherit' })
  const out = await new Response(child.stdout).text()
  expect(await child.exited).toBe(0)
  return out.trim()
}

/** What is committed, with the packages of this checkout, in a directory that is not there yet. */
export async function freshClone(directory: string): Promise<void> {
  await git('clone', '--quiet', root, directory)
  await symlink(join(root, 'node_modules'), join(directory, 'node_modules'))
}

interface LockedPackage {
  readonly dev?: boolean
  readonly devOptional?: boolean
}

/** What an image is made of: what its ignore file lets through, and the packages that are no tools of ours. */
export async function imageTree(directory: string, ignoreFile: string): Promise<void> {
  const ignored = (await readFile(join(root, ignoreFile), 'utf8')).trim().split('\n')
  const excluded = ignored.map((pattern) => `:(exclude,glob)${pattern}`)
  const below = ignored.map((pattern) => `:(exclude,glob)${pattern}/**`)
  await mkdir(join(directory, 'node_modules'), { recursive: true })
  const archive = Bun.spawn(['git', 'archive', 'HEAD', '--', '.', ...excluded, ...below], {
    cwd: root,
    stdout: 'pipe',
  })
  const unpack = Bun.spawn(['tar', '-x', '-C', directory], { stdin: archive.stdout })
  expect([await archive.exited, await unpack.exited]).toEqual([0, 0])
  const lock = await Bun.file(join(root, 'package-lock.json')).json()
  for (const [path, { dev, devOptional }] of Object.entries<LockedPackage>(lock.packages)) {
    const isTop = /^node_modules\/(?:@[^/]+\/)?[^/]+$/u.test(path)
    if (!isTop || dev === true || devOptional === true) continue
    await mkdir(dirname(join(directory, path)), { recursive: true })
    await symlink(join(root, path), join(directory, path))
  }
}
