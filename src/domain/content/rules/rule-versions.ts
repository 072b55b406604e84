import type { ContentStore, Version } from '../../../ports/content/content-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import type { RuleFileName, ZoneRecord } from '../../../ports/records/zone.ts'
import { type Actor, requireAllZones, requireZone } from '../../access/actor.ts'
import { ServiceError, zoneNotFound } from '../../errors.ts'
import { isLetGo } from '../let-go.ts'
import { ownRulesPath } from '../metadata/sidecar-paths.ts'
import { maxRuleCharacters } from './redirects/move-redirects.ts'

export interface WantedRules {
  readonly file: RuleFileName
  /** Whose own it is; left out, it is for all zones. */
  readonly zone?: string | undefined
}

/** What rule files said before, commit by commit. A former zone of a name had rules of its own: they are not shown. */
export interface RuleVersions {
  /** Newest first. */
  list(wanted: WantedRules, limit: number, actor: Actor): Promise<readonly Version[]>
  /** The text as a commit left it; `''` where it took the file away. */
  textAt(wanted: WantedRules, commitId: string, actor: Actor): Promise<string>
}

interface Dependencies {
  readonly content: Pick<ContentStore, 'versions'>
  readonly published: Pick<Manifest, 'zone'>
}

/** Nobody looks further back by hand. */
const maxVersions = 500
/** A character of UTF-8 has at most four bytes. */
const maxBytes = 4 * maxRuleCharacters

export function createRuleVersions({ content, published }: Dependencies): RuleVersions {
  async function list({ file, zone: name }: WantedRules, limit: number, actor: Actor) {
    if (name === undefined) {
      requireAllZones(actor)
      return await content.versions(file, { limit })
    }
    requireZone(actor, name)
    const zone = published.zone(name)
    if (zone === undefined) throw zoneNotFound(name)
    return await ownVersions(zone, file, limit)
  }

  async function ownVersions(zone: ZoneRecord, file: RuleFileName, limit: number) {
    const { commitId: since, createdAt } = zone
    const found = await content.versions(ownRulesPath(zone.name, file), { limit, since })
    return since === undefined ? found.filter(({ committedAt }) => committedAt >= createdAt) : found
  }

  return {
    list,
    async textAt(wanted, commitId, actor) {
      const version = (await list(wanted, maxVersions, actor)).find(({ id }) => id === commitId)
      if (version === undefined)
        throw new ServiceError('NotFound', `Commit "${commitId}" did not change ${wanted.file}`, {
          target: 'commit',
        })
      return await textOf(version)
    },
  }
}

async function textOf({ file }: Version): Promise<string> {
  if (file === undefined) return ''
  const { sha256, sizeBytes } = await file.blob()
  if (isLetGo(sha256) || sizeBytes > maxBytes)
    throw new ServiceError('VersionGone', 'What the commit has of the file is not kept any more', {
      target: 'commit',
    })
  return await new Response((await file.open()) as BodyInit).text()
}
