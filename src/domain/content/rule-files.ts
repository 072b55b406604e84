import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { Manifest } from '../../ports/records/manifest.ts'
import { ownRuleMembers, type RuleFileName } from '../../ports/records/zone.ts'
import { type Actor, requireAllZones, requireZone } from '../access/actor.ts'
import { invalid, ServiceError } from '../errors.ts'
import type { Committer } from './committer.ts'
import { ownRulesPath } from './metadata/sidecar-paths.ts'
import { checkRules, type RuleChecks } from './rules/check-rules.ts'
import type { RuleDiagnostic } from './rules/rule-diagnostic.ts'
import { requireWritableZone } from './write-guards.ts'

export interface WrittenRules {
  readonly commitId: string
  readonly changedAt: Date
}

export interface RuleText {
  readonly file: RuleFileName
  readonly content: string
  /** Whose own it is; left out, it is for all zones. */
  readonly zone?: string | undefined
}

/** The text of a rule file of a zone's own: edges have it in memory with the zone. */
export const maxOwnRuleBytes = 32 * 2 ** 10
const maxOwnRuleLines = 1000

/** The rule files that all zones share, at the root of the repository, and those that are a zone's own. */
export interface RuleFiles {
  /**
   * What works, but maybe not as meant. A file with a line that can never take effect is refused with
   * `InvalidParameter`, one detail a line.
   */
  check(rules: RuleText): readonly RuleDiagnostic[]
  /** Checks, then commits. */
  write(rules: RuleText, actor: Actor): Promise<WrittenRules>
}

interface Dependencies extends RuleChecks {
  readonly blobs: BlobStore
  readonly publisher: Committer
  /** The rules of now, which the audit log keeps beside the new ones. */
  readonly published: Pick<Manifest, 'ruleFile' | 'zone'>
  readonly head: () => Promise<string | undefined>
  readonly now: () => Date
}

export function createRuleFiles(dependencies: Dependencies): RuleFiles {
  const { blobs, publisher, published, head, now } = dependencies
  const check: RuleFiles['check'] = (rules) => checked(rules, dependencies)
  return {
    check,
    async write({ file, content, zone }, actor) {
      if (zone === undefined) requireAllZones(actor)
      else requireZone(actor, zone)
      check({ file, content, zone })
      await using incoming = await blobs.receive(new TextEncoder().encode(content))
      const blob = await incoming.keep()
      const path = zone === undefined ? file : ownRulesPath(zone, file)
      const target = zone === undefined ? file : `${zone}/${file}`
      const commit = await publisher.commit(
        {
          action: 'rules.update',
          target,
          subject: `Change ${target}`,
          actor,
          meta: {
            ...(zone !== undefined && { zone }),
            before: auditedText(textOf(published, { file, zone })),
            after: auditedText(content),
          },
        },
        async (tree) => {
          if (zone !== undefined) await requireWritableZone(tree, zone)
          const current = await tree.find(path)
          const isSame = current?.kind === 'file' && (await current.blob()).sha256 === blob.sha256
          return isSame ? undefined : [{ kind: 'put', path, blob }]
        },
      )
      return {
        commitId: commit?.id ?? (await head()) ?? '',
        changedAt: commit?.committedAt ?? now(),
      }
    },
  }
}

const textOf = (
  published: Dependencies['published'],
  { file, zone }: Pick<RuleText, 'file' | 'zone'>,
): string =>
  (zone === undefined ? published.ruleFile(file) : published.zone(zone)?.[ownRuleMembers[file]]) ??
  ''

/** More is in the commits. */
const maxAuditedLength = 1_500

const auditedText = (content: string) => ({ content: content.slice(0, maxAuditedLength) })

function checked(rules: RuleText, checks: RuleChecks): readonly RuleDiagnostic[] {
  const { file, content, zone } = rules
  if (zone !== undefined) requireRoom(content)
  const { errors, warnings } = checkRules(file, content, { ...checks, zone })
  if (errors.length === 0) return warnings
  const lines = errors.length === 1 ? 'a line' : `${errors.length} lines`
  throw new ServiceError('InvalidParameter', `Content has ${lines} that can never take effect`, {
    target: 'Content',
    details: errors.map(({ line, text, reason }) => ({
      code: 'InvalidParameter',
      target: String(line),
      message: `line ${line} ${reason}`,
      text,
    })),
  })
}

function requireRoom(content: string): void {
  if (Buffer.byteLength(content) > maxOwnRuleBytes)
    throw invalid('Content', `must have at most ${maxOwnRuleBytes} bytes`)
  if (content.split('\n', maxOwnRuleLines + 2).length > maxOwnRuleLines + 1)
    throw invalid('Content', `must have at most ${maxOwnRuleLines} lines`)
}
