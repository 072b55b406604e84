import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { brotliDecompressSync, gunzipSync, inflateSync, zstdDecompressSync } from 'node:zlib'

const blockBytes = 4096
/** Enough of a block that no other has it by chance. */
const probeBytes = 32

/**
 * Which files below the directories have any 4 KiB block of `bytes`: as it is, or in what our formats compress. Of
 * each block a part from its middle is looked for.
 */
export async function filesWithBlocks(
  directories: readonly string[],
  bytes: Buffer,
): Promise<readonly string[]> {
  const probes: Buffer[] = []
  for (let start = 0; start + blockBytes <= bytes.length; start += blockBytes)
    probes.push(bytes.subarray(start + 1024, start + 1024 + probeBytes))
  const found: string[] = []
  for (const directory of directories)
    for (const entry of await readdir(directory, { recursive: true, withFileTypes: true })) {
      if (!entry.isFile()) continue
      const path = join(entry.parentPath, entry.name)
      const content = await readFile(path).catch(() => Buffer.alloc(0))
      const forms = [content, ...decoded(content), ...(await objectsOf(path))]
      if (forms.some((form) => probes.some((probe) => form.includes(probe)))) found.push(path)
    }
  return found
}

function decoded(content: Buffer): Buffer[] {
  const decoders = [gunzipSync, inflateSync, brotliDecompressSync, zstdDecompressSync]
  return decoders.flatMap((decode) => {
    try {
      return [decode(content)]
    } catch {
      return []
    }
  })
}

/** What a pack holds, whatever it is a delta of, reachable or not. */
async function objectsOf(path: string): Promise<Buffer[]> {
  if (!/\/objects\/pack\/[^/]*\.pack$/u.test(path)) return []
  const repository = path.slice(0, path.indexOf('/objects/pack/'))
  const child = Bun.spawn(
    ['git', `--git-dir=${repository}`, 'cat-file', '--batch-all-objects', '--batch'],
    { stderr: 'inherit' },
  )
  return [Buffer.from(await new Response(child.stdout).arrayBuffer())]
}
