import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { ContentStore, Change, Tree } from '../../../ports/content/content-store.ts'
import { LruCache } from '../../../lib/collections/lru-cache.ts'
import { type Actor, requireZone } from '../../access/actor.ts'
import type { Committer } from '../committer.ts'
import { corsPath } from '../metadata/sidecar-paths.ts'
import { requireWritableZone } from '../write-guards.ts'
import { checkCorsRules, type CorsRule } from './cors-rule.ts'

/** Which pages of other origins may use a zone, kept in git beside its files. */
export interface ZoneCors {
  /** Empty where there are none, and where git brought some that are not right. */
  of(zone: string): Promise<readonly CorsRule[]>
  /** None takes them away. Refuses with `InvalidParameter` what is no rule. */
  set(zone: string, rules: readonly CorsRule[], actor: Actor): Promise<void>
}

interface Dependencies {
  readonly blobs: Pick<BlobStore, 'receive'>
  readonly content: Pick<ContentStore, 'find' | 'read'>
  readonly publisher: Committer
}

const keptZones = 1_000

/** Longer rules are not repeated in the audit log; the commit has them. */
const maxAuditedLength = 3_000

export function createZoneCors({ blobs, content, publisher }: Dependencies): ZoneCors {
  /** By content: what git names so never changes. */
  const known = new LruCache<readonly CorsRule[]>({ maxWeight: keptZones, weigh: () => 1 })

  async function rulesOf(zone: string): Promise<readonly CorsRule[]> {
    const found = await content.find(corsPath(zone))
    if (found?.kind !== 'file') return []
    const rules = known.get(found.contentId) ?? parsed(await content.read(corsPath(zone)))
    known.set(found.contentId, rules)
    return rules
  }

  return {
    of: rulesOf,
    async set(zone, rules, actor) {
      requireZone(actor, zone)
      if (rules.length > 0) checkCorsRules(rules)
      const text = `${JSON.stringify(rules, undefined, 2)}\n`
      await using incoming = await blobs.receive(new TextEncoder().encode(text))
      const blob = await incoming.keepLazily()
      const subject = `Set the CORS rules of ${zone}`
      const meta = changeBetween(await rulesOf(zone), rules)
      await publisher.commit(
        { action: 'zone.cors', target: zone, subject, actor, meta },
        async (tree) => {
          await requireWritableZone(tree, zone)
          if (rules.length === 0) return await removal(tree, zone)
          return [{ kind: 'put', path: corsPath(zone), blob }]
        },
      )
    },
  }
}

function changeBetween(before: readonly CorsRule[], after: readonly CorsRule[]) {
  const isShort = JSON.stringify([before, after]).length <= maxAuditedLength
  return isShort ? { before: { rules: before }, after: { rules: after } } : {}
}

async function removal(tree: Tree, zone: string): Promise<readonly Change[] | undefined> {
  const path = corsPath(zone)
  return (await tree.find(path)) === undefined ? undefined : [{ kind: 'delete', path }]
}

function parsed(bytes: Uint8Array | undefined): readonly CorsRule[] {
  try {
    const rules: unknown = JSON.parse(new TextDecoder().decode(bytes))
    if (!Array.isArray(rules) || !rules.every(isRule)) return []
    checkCorsRules(rules)
    return rules
  } catch {
    return []
  }
}

/** What {@link checkCorsRules} looks at without asking what it is. */
function isRule(value: unknown): value is CorsRule {
  if (typeof value !== 'object' || value === null) return false
  const rule = value as Readonly<Record<string, unknown>>
  const lists = ['allowedOrigins', 'allowedMethods', 'allowedHeaders', 'exposedHeaders']
  return (
    lists.every((name) => isTexts(rule[name])) &&
    ['string', 'undefined'].includes(typeof rule['id']) &&
    ['number', 'undefined'].includes(typeof rule['maxAgeSeconds'])
  )
}

const isTexts = (value: unknown): boolean =>
  Array.isArray(value) && value.every((text) => typeof text === 'string')
