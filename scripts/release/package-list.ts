import { createHash } from 'node:crypto'

import { run } from './run.ts'

interface Release {
  readonly root: string
  readonly name: string
  readonly commitId: string
  readonly committedAt: Date
}

/**
 * All packages that are in the service, with licence and hash, as CycloneDX 1.5 from the lock. npm gives each list a
 * number, a moment and a version of its own, and calls it after its folder; here all that is of the commit, so that the
 * same commit has the same list.
 */
export async function packageList({ root, name, commitId, committedAt }: Release): Promise<string> {
  const command = ['npm', 'sbom', '--package-lock-only', '--omit=dev', '--sbom-type=application']
  const { metadata, ...list } = JSON.parse(await run([...command, '--sbom-format=cyclonedx'], root))
  const { tools: _tools, component, ...about } = metadata
  return `${JSON.stringify(
    {
      ...list,
      serialNumber: `urn:uuid:${uuidOf(commitId)}`,
      metadata: {
        ...about,
        component: { ...component, name },
        timestamp: committedAt.toISOString(),
      },
    },
    undefined,
    2,
  )}\n`
}

/** RFC 9562 §5.8: a UUID that is all our own. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
}
