import { afterAll, beforeAll, expect, test } from 'bun:test'
import { join } from 'node:path'

import { runGit } from '../support/git-client.ts'
import { type LocalService, openLocalService } from '../support/local-service.ts'
import { packOf, pushRaw } from '../support/raw-push.ts'
import { temporaryDirectory, testKeys } from '../support/service-process.ts'
import { worldOf } from '../support/world.ts'

const undo = new AsyncDisposableStack()
let service: LocalService
let work: string
let head: string

const who = 'Eve <eve@example.org> 1700000000 +0000'
const emptyTree = '4b825dc642cb6eb9a060e54bf8d69288fbee4904'

beforeAll(async () => {
  const data = join(undo.use(await temporaryDirectory()).path, 'data')
  work = undo.use(await temporaryDirectory()).path
  service = undo.use(await openLocalService({ dataDirectory: data }))
  await worldOf(service).zone('acme')
  await worldOf(service).put('acme/v1/data/a.txt', 'first')
  const url = `http://x:${testKeys.ACCESS_KEY}@localhost:${service.port}/git/`
  await runGit(work, 'clone', '-q', url, '.')
  head = (await runGit(work, 'rev-parse', 'HEAD')).trim()
})

afterAll(() => undo.disposeAsync())

/** An object as no git would write it. */
async function written(kind: 'commit' | 'tree', body: Uint8Array): Promise<string> {
  const command = ['git', 'hash-object', '-w', '--literally', '-t', kind, '--stdin']
  const child = Bun.spawn(command, { cwd: work, stdin: body, stdout: 'pipe' })
  return (await new Response(child.stdout).text()).trim()
}

const entry = (mode: string, name: string, id: string): Buffer =>
  Buffer.concat([Buffer.from(`${mode} ${name}\0`), Buffer.from(id, 'hex')])

const treeOf = async (revision: string): Promise<string> =>
  (await runGit(work, 'rev-parse', revision)).trim()

const commitOf = (tree: string, parents: readonly string[], headers: readonly string[] = []) =>
  written(
    'commit',
    Buffer.from(
      [
        `tree ${tree}`,
        ...parents.map((id) => `parent ${id}`),
        `author ${who}`,
        `committer ${who}`,
        ...headers,
        '',
        'Mine\n',
      ].join('\n'),
    ),
  )

async function push(to: string, ids: readonly string[]): Promise<string> {
  const pack = await packOf(work, [to, ...ids])
  return await pushRaw({ url: service.url, from: head, to, pack })
}

test('a commit that says it was another one before an erasure is refused', async () => {
  const tree = await treeOf('HEAD^{tree}')
  const forged = await commitOf(tree, [head], [`former ${'1'.repeat(40)}`])
  expect(await push(forged, [])).toContain('ng refs/heads/main a commit says what its id was')
  const merged = await commitOf(tree, [head, forged])
  expect(await push(merged, [forged])).toContain('a commit says what its id was')
  const honest = await commitOf(tree, [head], ['note former words'])
  expect(await push(honest, [])).toContain('ok refs/heads/main')
  head = honest
})

test('names that git refuses are refused in what is merged, and where no file has them', async () => {
  const clients = await treeOf('HEAD:clients')
  const tree = await treeOf('HEAD^{tree}')
  for (const name of ['.git', '..', '.GIT']) {
    const evil = await written(
      'tree',
      Buffer.concat([entry('40000', name, emptyTree), entry('40000', 'clients', clients)]),
    )
    const empty = await commitOf(evil, [head])
    expect(await push(empty, [evil, emptyTree])).not.toContain('ok refs/heads/main')

    const inner = await written('tree', entry('40000', 'v1', clients))
    const below = await written(
      'tree',
      Buffer.concat([entry('40000', name, inner), entry('40000', 'clients', clients)]),
    )
    const side = await commitOf(below, [head])
    const merge = await commitOf(tree, [head, side])
    const report = await push(merge, [side, below, inner])
    expect(report).toMatch(/unpack object [0-9a-f]{40}: contains/u)
    expect(report).not.toContain('ok refs/heads/main')
  }
})
