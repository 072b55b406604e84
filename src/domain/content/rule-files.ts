import type { BlobStore } from '../../ports/content/blob-store.ts'
import type { RuleFileName } from '../../ports/records/zone.ts'
import { type Actor, requireAllZones } from '../access/actor.ts'
import { ServiceError } from '../errors.ts'
import type { Committer } from './committer.ts'
import { checkRules } from './rules/check-rules.ts'
import type { IsOwnHost } from './rules/headers/review-headers.ts'
import type { RuleDiagnostic } from './rules/rule-diagnostic.ts'

export interface WrittenRules {
  readonly commitId: string
  readonly changedAt: Date
}

export interface RuleText {
  readonly file: RuleFileName
  readonly content: string
}

/** The rule files that all zones share: `_headers` and `_redirects` at the root of the repository. */
export interface RuleFiles {
  /**
   * What works, but maybe not as meant. A file with a line that can never take effect is refused with
   * `InvalidParameter`, one detail a line.
   */
  check(rules: RuleText): readonly RuleDiagnostic[]
  /** Checks, then commits. */
  write(rules: RuleText, actor: Actor): Promise<WrittenRules>
}

interface Dependencies {
  readonly blobs: BlobStore
  readonly publisher: Committer
  readonly head: () => Promise<string | undefined>
  /** Whether a host name is one of the service's own, as far as that is known. */
  readonly isOwnHost: IsOwnHost
  readonly now: () => Date
}

export function createRuleFiles(dependencies: Dependencies): RuleFiles {
  const { blobs, publisher, head, isOwnHost, now } = dependencies
  const check: RuleFiles['check'] = (rules) => checked(rules, isOwnHost)
  return {
    check,
    async write({ file, content }, actor) {
      requireAllZones(actor)
      check({ file, content })
      await using incoming = await blobs.receive(new TextEncoder().encode(content))
      const blob = await incoming.keep()
      const commit = await publisher.commit(
        { action: 'rules.update', target: file, subject: `Change ${file}`, actor },
        async (tree) => {
          const current = await tree.find(file)
          const isSame = current?.kind === 'file' && (await current.blob()).sha256 === blob.sha256
          return isSame ? undefined : [{ kind: 'put', path: file, blob }]
        },
      )
      return {
        commitId: commit?.id ?? (await head()) ?? '',
        changedAt: commit?.committedAt ?? now(),
      }
    },
  }
}

function checked({ file, content }: RuleText, isOwnHost: IsOwnHost): readonly RuleDiagnostic[] {
  const { errors, warnings } = checkRules(file, content, isOwnHost)
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
