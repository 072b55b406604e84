import { expect, test } from 'bun:test'
import { join } from 'node:path'

import { temporaryDirectory } from '../../../../test/support/service-process.ts'
import { runGit } from '../objects/git-command.ts'
import { emptyTreeId, objectId } from '../objects/object-id.ts'
import { CommitNames, lineRefs } from './commit-names.ts'

const body = (parentIds: readonly string[], message: string): Buffer =>
  Buffer.from(
    [
      `tree ${emptyTreeId}`,
      ...parentIds.map((id) => `parent ${id}`),
      'author A <a@sedge.invalid> 1700000000 +0000',
      'committer A <a@sedge.invalid> 1700000000 +0000',
      '',
      `${message}\n`,
    ].join('\n'),
  )

/** Two commits whose ids begin with the same seven digits. */
function findTwins(): readonly [Buffer, Buffer] {
  const messageByDigits = new Map<string, string>()
  for (let count = 0; ; count += 1) {
    const digits = objectId('commit', body([], `twin ${count}`)).slice(0, 7)
    const other = messageByDigits.get(digits)
    if (other !== undefined) return [body([], other), body([], `twin ${count}`)]
    messageByDigits.set(digits, `twin ${count}`)
  }
}

test('the first digits of several commits name none of them, until there is one more', async () => {
  await using directory = await temporaryDirectory()
  const repository = join(directory.path, 'repository.git')
  await runGit(repository, ['init', '--quiet', '--bare', repository])
  const write = async (commit: Buffer) => {
    const output = await runGit(
      repository,
      ['hash-object', '-t', 'commit', '-w', '--stdin'],
      commit,
    )
    return output.toString().trim()
  }
  const twins = findTwins()
  const [first, second] = [await write(twins[0]), await write(twins[1])]
  const head = await write(body([first, second], 'both'))
  const names = new CommitNames(repository)
  const digits = first.slice(0, 7)

  expect(second.slice(0, 7)).toBe(digits)
  expect(await names.named(digits, head)).toBe('ambiguous')
  expect(await names.named(first, head)).toMatchObject({ id: first })
  const length = Array.from(first).findIndex((digit, index) => digit !== second[index]) + 1
  expect(await names.named(second.slice(0, length), head)).toMatchObject({ id: second })
  // What does not lead to the newest commit is in nobody's way, a line beside it neither.
  const alone = new CommitNames(repository)
  expect(await alone.named(digits, first)).toMatchObject({ id: first })
  expect(await alone.named(second, first)).toBeUndefined()
  expect(await alone.named(emptyTreeId, first)).toBeUndefined()
  await runGit(repository, ['update-ref', `${lineRefs}acme/spring`, second])
  expect(await alone.named(second, first)).toMatchObject({ id: second })
  expect(await alone.named(digits, first)).toMatchObject({ id: first })
})
