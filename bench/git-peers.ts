/** git's own ways to commit, made to flush all they write, to measure against. */
import { open } from 'node:fs/promises'
import { join } from 'node:path'

import { gitEnvironment } from '../src/adapters/git/objects/git-command.ts'
import { openGitContentStore } from '../src/adapters/git/git-content-store.ts'
import { MemoryBlobStore } from '../src/adapters/memory/content/memory-blob-store.ts'

const zones = 100
const categories = ['banners', 'github', 'icons', 'logos', 'titles']
const filesPerCategory = 100
export const fileBytes = 10_240

let pathCount = 0
/** Spread over the tree; new names and old ones by turns. */
export function nextPath(): string {
  pathCount += 1
  const zone = (pathCount * 37) % zones
  const category = categories[pathCount % categories.length]
  const name = pathCount % 2 === 0 ? `file-${pathCount % filesPerCategory}` : `new-${pathCount}`
  return `clients/zone-${zone}/v1/${category}/${name}.png`
}

export const randomBytes = (size: number) => crypto.getRandomValues(new Uint8Array(size))

/** Small files: what counts is how many there are. */
export async function createRepository(path: string): Promise<void> {
  const store = await openGitContentStore({
    directory: path,
    blobs: new MemoryBlobStore(),
    now: () => new Date(),
    onWarning: console.warn,
    onFatal: console.error,
  })
  await store[Symbol.asyncDispose]()
  const child = Bun.spawn(['git', `--git-dir=${path}`, 'fast-import', '--quiet'], {
    env: gitEnvironment(),
    stdin: 'pipe',
    stdout: 'ignore',
  })
  child.stdin.write(commitHeader('setup'))
  for (let zone = 0; zone < zones; zone += 1)
    for (const category of categories)
      for (let file = 0; file < filesPerCategory; file += 1) {
        const content = `${zone}/${category}/${file}`
        child.stdin.write(`M 644 inline clients/zone-${zone}/v1/${category}/file-${file}.png\n`)
        child.stdin.write(`data ${content.length}\n${content}\n`)
      }
  await child.stdin.end()
  if ((await child.exited) !== 0) throw new Error('fast-import failed')
}

const commitHeader = (subject: string) =>
  `commit refs/heads/main\ncommitter Bench <bench@sedge.invalid> ${Math.floor(Date.now() / 1000)} +0000\n` +
  `data ${subject.length}\n${subject}\n`

export async function openFastImport(path: string) {
  const child = Bun.spawn(['git', `--git-dir=${path}`, 'fast-import', '--quiet'], {
    env: gitEnvironment(),
    stdin: 'pipe',
    stdout: 'pipe',
  })
  const responses = child.stdout.getReader()
  child.stdin.write('reset refs/heads/main\nfrom refs/heads/main^0\n\n')
  return {
    async commit(count: number) {
      for (let index = 0; index < count; index += 1) {
        const target = nextPath()
        child.stdin.write(commitHeader(`put ${target}`))
        child.stdin.write(`M 644 inline ${target}\ndata ${fileBytes}\n`)
        child.stdin.write(randomBytes(fileBytes))
        child.stdin.write('\n')
      }
      child.stdin.write('checkpoint\nprogress done\n')
      await child.stdin.flush()
      await responses.read()
      await flush(join(path, 'refs', 'heads'))
    },
    async [Symbol.asyncDispose]() {
      await child.stdin.end()
      await child.exited
    },
  }
}

export function openCommands(path: string) {
  let isIndexRead = false
  const run = async (args: readonly string[], input?: Uint8Array) => {
    const child = Bun.spawn(['git', `--git-dir=${path}`, ...args], {
      env: {
        ...gitEnvironment(),
        GIT_INDEX_FILE: join(path, 'bench-index'),
        GIT_AUTHOR_NAME: 'b',
        GIT_AUTHOR_EMAIL: 'b',
        GIT_COMMITTER_NAME: 'b',
        GIT_COMMITTER_EMAIL: 'b',
      },
      stdin: input ?? 'ignore',
      stdout: 'pipe',
    })
    const output = await new Response(child.stdout).text()
    if ((await child.exited) !== 0) throw new Error(`git ${args.join(' ')} failed`)
    return output.trim()
  }
  return {
    async commit() {
      if (!isIndexRead) await run(['read-tree', 'refs/heads/main'])
      isIndexRead = true
      const target = nextPath()
      const blob = await run(['hash-object', '-w', '--stdin'], randomBytes(fileBytes))
      await run(['update-index', '-z', '--index-info'], Buffer.from(`100644 ${blob}\t${target}\0`))
      const tree = await run(['write-tree'])
      const parent = await run(['rev-parse', 'refs/heads/main'])
      const commit = await run(['commit-tree', tree, '-p', parent, '-m', `put ${target}`])
      await run(['update-ref', 'refs/heads/main', commit, parent])
      await flush(join(path, 'refs', 'heads'))
    },
  }
}

async function flush(path: string): Promise<void> {
  await using handle = await open(path, 'r')
  await handle.sync()
}
