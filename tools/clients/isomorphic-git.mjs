// What isomorphic-git does with a repository of ours. What it finds wrong ends it.
// Arguments: the URL, a password, a directory to work in, and where the zone is in the repository.
import assert from 'node:assert/strict'
import fs from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'

import git from 'isomorphic-git'
import http from 'isomorphic-git/http/node'

const [url, password, directory, root] = process.argv.slice(2)
const onAuth = () => ({ username: 'x', password })
const author = { name: 'Ada', email: 'ada@example.org' }
const common = { fs, http, onAuth }

async function commit(dir, filepath, text) {
  await mkdir(dirname(join(dir, filepath)), { recursive: true })
  await writeFile(join(dir, filepath), text)
  await git.add({ fs, dir, filepath })
  return await git.commit({ fs, dir, author, message: `Write ${filepath}` })
}

async function push(dir, force = false) {
  const said = []
  const onMessage = (message) => said.push(message)
  try {
    const { ok, refs } = await git.push({
      ...common,
      dir,
      remote: 'origin',
      ref: 'main',
      force,
      onMessage,
    })
    return { ok, refs, said: said.join('') }
  } catch (error) {
    return { ok: false, error, said: said.join('') }
  }
}

const dir = join(directory, 'first')
await git.clone({ ...common, dir, url, ref: 'main', singleBranch: true })
const made = await commit(
  dir,
  `${root}v1/icons/isomorphic.svg`,
  '<svg xmlns="http://www.w3.org/2000/svg"/>',
)
const done = await push(dir)
assert.equal(done.ok, true, String(done.error))
assert.match(done.said, new RegExp(`published ${made}`, 'u'))

await commit(dir, 'README.md', 'no asset')
const refused = await push(dir)
assert.equal(refused.ok, false)
assert.match(refused.said, /README\.md: must name a file below/u)

const second = join(directory, 'second')
await git.clone({ ...common, dir: second, url, ref: 'main', singleBranch: true })
assert.equal(await git.resolveRef({ fs, dir: second, ref: 'HEAD' }), made)
assert.ok(fs.existsSync(join(second, `${root}v1/icons/isomorphic.svg`)))
console.log('all is well')
