import { createHash } from 'node:crypto'

import type { DebianPackage } from './image/debian-packages.ts'
import { run } from './run.ts'

interface Release {
  readonly root: string
  readonly name: string
  readonly commitId: string
  readonly committedAt: Date
  /** What is in the image besides. */
  readonly debian: readonly DebianPackage[]
}

/**
 * All packages that are in the service, with licence and hash, as CycloneDX 1.5 from the lock. npm gives each list a
 * number, a moment and a version of its own, and calls it after its folder; here all that is of the commit, so that the
 * same commit has the same list.
 */
export async function packageList(release: Release): Promise<string> {
  const { root, name, commitId, committedAt, debian } = release
  const command = ['npm', 'sbom', '--package-lock-only', '--omit=dev', '--sbom-type=application']
  const { metadata, components, ...list } = JSON.parse(
    await run([...command, '--sbom-format=cyclonedx'], root),
  )
  const { tools: _tools, component, ...about } = metadata
  return `${JSON.stringify(
    {
      ...list,
      components: [...components, ...debian.map(debianComponent)],
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

/** Named as scanners name it; its licences are in the image, in `/usr/share/doc`. */
function debianComponent({ name, version, architecture, sha256 }: DebianPackage) {
  const purl = `pkg:deb/debian/${name}@${encodeURIComponent(version)}?arch=${architecture}&distro=debian-12`
  return {
    'bom-ref': purl,
    type: 'library',
    name,
    version,
    purl,
    hashes: [{ alg: 'SHA-256', content: sha256 }],
    properties: [{ name: 'sedge:part', value: 'image' }],
  }
}

/** RFC 9562 §5.8: a UUID that is all our own. */
function uuidOf(text: string): string {
  const bytes = createHash('sha256').update(text).digest().subarray(0, 16)
  bytes[6] = ((bytes[6] ?? 0) & 0x0f) | 0x80
  bytes[8] = ((bytes[8] ?? 0) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/u, '$1-$2-$3-$4-$5')
}
