import type { BlobStore } from '../../../ports/content/blob-store.ts'
import type { Put, Tree } from '../../../ports/content/content-store.ts'
import type { Manifest } from '../../../ports/records/manifest.ts'
import {
  type OwnRuleTexts,
  ownRuleMembers,
  type RuleFileName,
  ruleFileNames,
} from '../../../ports/records/zone.ts'
import { maxOwnRuleBytes } from '../../content/rule-files.ts'
import { ownRulesPath } from '../../content/metadata/sidecar-paths.ts'
import { bytesOfPut } from './bytes-of-put.ts'

interface Dependencies {
  readonly tree: Pick<Tree, 'read'>
  readonly blobs: Pick<BlobStore, 'read'>
  readonly published: Pick<Manifest, 'zone'>
}

/** What a commit does to the rule files of a zone: `undefined` where one is removed. */
export type OwnRulePuts = ReadonlyMap<RuleFileName, Put | undefined>

/** The texts of each zone's own rule files once a commit is in; what is too long counts as none. */
export function ownRulesOfCommit(
  putsByZone: ReadonlyMap<string, OwnRulePuts>,
  { tree, blobs, published }: Dependencies,
) {
  return async (zone: string): Promise<OwnRuleTexts> => {
    const texts = ruleFileNames.map(
      async (file) => [ownRuleMembers[file], await textOf(zone, file)] as const,
    )
    return Object.fromEntries((await Promise.all(texts)).filter(([, text]) => text !== undefined))
  }

  async function textOf(zone: string, file: RuleFileName): Promise<string | undefined> {
    const puts = putsByZone.get(zone)
    if (puts?.has(file) === true) return await putText(puts.get(file))
    const record = published.zone(zone)
    if (record !== undefined) return record[ownRuleMembers[file]]
    // It came before the zone that it is for.
    return textIn(await tree.read(ownRulesPath(zone, file)))
  }

  async function putText(put: Put | undefined): Promise<string | undefined> {
    if (put === undefined || put.blob.sizeBytes > maxOwnRuleBytes) return undefined
    return textIn(await bytesOfPut(put, blobs))
  }
}

const textIn = (bytes: Uint8Array | undefined): string | undefined =>
  bytes === undefined || bytes.length === 0 || bytes.length > maxOwnRuleBytes
    ? undefined
    : new TextDecoder().decode(bytes).replaceAll('\0', '')
