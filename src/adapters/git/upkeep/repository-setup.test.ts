import { expect, test } from 'bun:test'
import { appendFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { runGit } from '../objects/git-command.ts'
import { prepareRepository } from './repository-setup.ts'

async function openDirectory() {
  const directory = await mkdtemp(join(tmpdir(), 'sedge-setup-'))
  return { directory, [Symbol.asyncDispose]: () => rm(directory, { recursive: true }) }
}

const settingOf = async (directory: string, name: string): Promise<readonly string[]> =>
  (await runGit(directory, ['config', '--local', '--get-all', name])).toString().trim().split('\n')

test('a repository is held to our settings, whatever it was held to before', async () => {
  await using at = await openDirectory()
  const prepare = () => prepareRepository(at.directory, () => {})
  await prepare()
  await runGit(at.directory, ['config', '--local', 'core.fsync', 'none'])
  await runGit(at.directory, ['config', '--local', '--unset', 'gc.auto'])
  // An operator's own, without a line end.
  await appendFile(join(at.directory, 'config'), '[user]\n\tname = Operator')
  await prepare()

  expect(await settingOf(at.directory, 'core.fsync')).toEqual(['all'])
  expect(await settingOf(at.directory, 'gc.auto')).toEqual(['0'])
  expect(await settingOf(at.directory, 'receive.denydeletes')).toEqual(['true'])
  expect(await settingOf(at.directory, 'user.name')).toEqual(['Operator'])
})

test('what is set already is left as it is', async () => {
  await using at = await openDirectory()
  await prepareRepository(at.directory, () => {})
  const config = Bun.file(join(at.directory, 'config'))
  const before = await config.text()
  await prepareRepository(at.directory, () => {})

  expect(await config.text()).toBe(before)
})
