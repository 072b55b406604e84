import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import { makeDurableDirectory, writeFileDurably } from '../../../lib/files/durable-files.ts'
import { ifPresent } from '../../../lib/files/file-faults.ts'
import { flushPath } from '../objects/durable-file.ts'
import { gitEnvironment, GitError, runGit, tryGit } from '../objects/git-command.ts'

/**
 * Stock git flushes nothing by default, packs and prunes when it likes, and runs hooks; every process
 * on this repository, people's pushes included, is held to these instead.
 */
const settings: Readonly<Record<string, string>> = {
  'core.fsync': 'all',
  'core.fsyncmethod': 'fsync',
  'core.hookspath': '/dev/null',
  'core.logallrefupdates': 'false',
  'core.compression': '1',
  'core.bigfilethreshold': '512k',
  'gc.auto': '0',
  'maintenance.auto': 'false',
  'receive.autogc': 'false',
  'receive.denynonfastforwards': 'true',
  'receive.denydeletes': 'true',
  'receive.unpacklimit': '1',
  'transfer.fsckobjects': 'true',
  'fastimport.unpacklimit': '1',
  'repack.writebitmaps': 'false',
  'pack.threads': '1',
  'pack.windowmemory': '64m',
  // Who clones may leave out what they do not need; what we note of a remote is nobody's to fetch.
  'uploadpack.allowfilter': 'true',
  'uploadpack.allowanysha1inwant': 'true',
  'transfer.hiderefs': 'refs/sedge',
  'http.receivepack': 'false',
}

/** `--geometric` came with 2.32, flushing what is pushed with 2.36. */
const oldestGit: readonly [number, number] = [2, 32]
const oldestFlushingGit: readonly [number, number] = [2, 36]

/** Makes a bare repository where there is none and holds it to our settings. */
export async function prepareRepository(
  directory: string,
  onWarning: (message: string) => void,
): Promise<void> {
  await checkVersion(onWarning)
  const isNew = !existsSync(join(directory, 'HEAD'))
  if (isNew) await createRepository(directory)
  const hasNewAttributes = await applyAttributes(directory)
  const changed = (await applySettings(directory)) || hasNewAttributes
  if (isNew || changed) await flushTree(directory)
  if (isNew) await flushPath(dirname(directory))
}

async function checkVersion(onWarning: (message: string) => void): Promise<void> {
  const child = Bun.spawn(['git', 'version'], { env: gitEnvironment(), stderr: 'ignore' })
  const [, major = 0, minor = 0] =
    /\b(\d{1,4})\.(\d{1,4})\b/u.exec(await new Response(child.stdout).text())?.map(Number) ?? []
  const isOlderThan = ([a, b]: readonly [number, number]) => major < a || (major === a && minor < b)
  if (isOlderThan(oldestGit))
    throw new Error(`git must be at least ${oldestGit.join('.')}, not ${major}.${minor}`)
  if (isOlderThan(oldestFlushingGit))
    onWarning(
      `git ${major}.${minor} does not flush what is pushed to disk; ${oldestFlushingGit.join('.')} and newer do`,
    )
}

async function createRepository(directory: string): Promise<void> {
  await mkdir(directory, { recursive: true })
  await runGit(directory, [
    'init',
    '--bare',
    '--quiet',
    '--template=',
    '--initial-branch=main',
    '--object-format=sha1',
  ])
}

/**
 * Repacking looks for deltas between directories and not between files, which are mostly media. For git a
 * directory is a path like any other, so what tells them apart is that files have a dot in their names.
 */
const attributes = '*.* -delta\n'
/** What was written before: with it no directory was ever a delta. */
const formerAttributes = '* -delta\n'

/** Answers whether they were not as they should be. What an operator wrote stays. */
async function applyAttributes(directory: string): Promise<boolean> {
  const path = join(directory, 'info', 'attributes')
  const present = await ifPresent(Bun.file(path).text())
  if (present !== undefined && present !== formerAttributes) return false
  await makeDurableDirectory(dirname(path))
  await writeFileDurably(path, attributes)
  return true
}

/** Sets what is not set as it should be; answers whether there was any. */
async function applySettings(directory: string): Promise<boolean> {
  const { exitCode, output, errors } = await tryGit(directory, [
    'config',
    '--local',
    '-z',
    '--list',
  ])
  if (exitCode !== 0) throw new GitError('config', { exitCode, output: errors })
  const present = new Map(
    output
      .toString()
      .split('\0')
      .map((line) => [line.slice(0, line.indexOf('\n')), line.slice(line.indexOf('\n') + 1)]),
  )
  const wrong = Object.entries(settings).filter(([name, value]) => present.get(name) !== value)
  const missing = wrong.filter(([name]) => !present.has(name))
  for (const [name, value] of wrong)
    if (present.has(name)) await runGit(directory, ['config', '--local', name, value])
  if (missing.length > 0) await appendSettings(directory, missing)
  return wrong.length > 0
}

/** Adds settings that are not there yet, all at once: git itself takes a process for each. */
async function appendSettings(
  directory: string,
  missing: readonly (readonly [string, string])[],
): Promise<void> {
  const path = join(directory, 'config')
  const lines = missing.map(([name, value]) => {
    const [section = '', key = ''] = name.split('.')
    return `[${section}]\n\t${key} = ${value}\n`
  })
  const before = await readFile(path, 'utf8')
  const isEnded = before === '' || before.endsWith('\n')
  await writeFileDurably(path, [before, isEnded ? '' : '\n', ...lines].join(''))
}

/** A fresh repository is not on disk until each of its files and directories is. */
async function flushTree(directory: string): Promise<void> {
  for (const entry of await readdir(directory, { withFileTypes: true, recursive: true }))
    await flushPath(join(entry.parentPath, entry.name))
  await flushPath(directory)
}
