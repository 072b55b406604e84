import { expect, test } from 'bun:test'
import { createCipheriv } from 'node:crypto'
import { join } from 'node:path'

import { type ClusterNode, startCluster } from '../support/cluster.ts'
import { filesWithBlocks } from '../support/find-blocks.ts'
import { runGit } from '../support/git-client.ts'
import { have, postgres, s3Server } from '../support/needs.ts'
import { access, account } from '../support/service-process.ts'
import { until } from '../support/until.ts'
import { worldOf } from '../support/world.ts'

const bytes = createCipheriv('aes-128-ctr', Buffer.alloc(16), Buffer.alloc(16)).update(
  Buffer.alloc(64 * 4096),
)
const path = 'acme/v1/films/secret.bin'

/** The commit that stored it. */
async function storedIn({ url }: ClusterNode): Promise<string> {
  const response = await fetch(`${url}/api/assets/history?path=${path}`, { headers: access })
  const { Versions } = (await response.json()) as { Versions: readonly { Commit: string }[] }
  return Versions[0]?.Commit ?? ''
}

/** What a node says that a commit had of it. */
async function formerBytes({ url }: ClusterNode, commit: string): Promise<Buffer> {
  const query = new URLSearchParams({ path, commit })
  const response = await fetch(`${url}/api/assets/version?${query.toString()}`, { headers: access })
  return Buffer.from(await response.arrayBuffer())
}

if (have('erasing in a cluster', postgres, s3Server))
  test('no node and no pack in the bucket keeps what was erased, and another node writes on', async () => {
    await using cluster = await startCluster({ nodeCount: 2 })
    const [first, second] = cluster.nodes
    if (first === undefined || second === undefined) throw new Error('few')
    await worldOf(first).zone('acme')
    await worldOf(first).put(path, new Uint8Array(bytes))
    const stored = await storedIn(first)
    await worldOf(first).put('acme/v1/films/kept.txt', 'kept')
    const preview = await fetch(`${first.url}/api/core/zones/acme/previews`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Name: 'next' }),
    })
    expect(preview.status).toBe(201)
    const written = await fetch(`${first.url}/api/storage/acme/v1/titles/new.txt`, {
      method: 'PUT',
      headers: { ...access, 'Sedge-Preview': 'next' },
      body: 'new',
    })
    expect(written.status).toBe(201)
    await until(async () => (await fetch(`${second.url}/${path}`)).ok)
    const directories = [
      cluster.blobs.files,
      ...cluster.nodes.map(({ dataDirectory }) => dataDirectory),
    ]
    expect((await filesWithBlocks(directories, bytes)).length).toBeGreaterThan(1)

    for (const node of cluster.nodes) expect(await formerBytes(node, stored)).toEqual(bytes)

    const ordered = await fetch(`${second.url}/api/core/erasures`, {
      method: 'POST',
      headers: account,
      body: JSON.stringify({ Path: path, Reason: 'It must go', Confirm: path }),
    })
    expect(ordered.status).toBe(202)
    const { Id } = (await ordered.json()) as { Id: string }
    await until(async () => {
      const found = await fetch(`${second.url}/api/core/erasures/${Id}`, { headers: account })
      return ((await found.json()) as { State: string }).State === 'done'
    })
    for (const node of cluster.nodes) expect(await formerBytes(node, stored)).not.toEqual(bytes)

    await until(async () => (await filesWithBlocks(directories, bytes)).length === 0)
    for (const { url } of cluster.nodes) expect((await fetch(`${url}/${path}`)).status).toBe(451)
    await worldOf(first).put('acme/v1/films/later.txt', 'later')
    await cluster.kill(first)
    await until(async () => {
      const later = await fetch(`${second.url}/acme/v1/films/later.txt`).catch(() => undefined)
      return (await later?.text()) === 'later'
    })
    await until(async () =>
      worldOf(second)
        .put('acme/v1/films/last.txt', 'last')
        .then(
          () => true,
          () => false,
        ),
    )
    const shown = await fetch(`${second.url}/@~next/acme/v1/titles/new.txt`)
    expect(await shown.text()).toBe('new')
    const repository = join(second.dataDirectory, 'repository.git')
    // A node that is killed amid a write may leave an object that nothing names: git calls it dangling.
    expect(await runGit(repository, 'fsck', '--full', '--strict', '--no-dangling')).toBe('')
  }, 120_000)
